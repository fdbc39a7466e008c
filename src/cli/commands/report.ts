/** `report RESULT.json [--out FILE.html]`: the HTML report of a result file, written beside it unless told otherwise. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf } from '../../model/errors.ts';
import { researchErrors } from '../../research/errors.ts';
import { renderReport } from '../../research/report/render.ts';
import { sessionErrors } from '../../session/errors.ts';
import { readResult } from '../../session/result.ts';
import { action, type BuildCommand, type CommandResult } from '../command.ts';

export const build: BuildCommand = (io) =>
  new Command('report')
    .description('make the HTML report of a result file')
    .argument('<result>', 'the JSON file that `backtest --result FILE` wrote')
    .option('--out <file>', 'where the report goes; beside the result file, ending in .html, when left out')
    .addHelpText('after', '\nExample:\n  $ npx tidewire report result.json --out report.html\n')
    .action(
      action(io, async (result: string, options: { readonly out?: string }): Promise<CommandResult> => {
        const path = resolve(io.cwd, result);
        const out = resolve(io.cwd, options.out ?? defaultOut(path));
        const page = renderReport(readResult(await textOf(path), path));
        await write(out, page);
        const bytes = Buffer.byteLength(page);
        return {
          json: { command: 'report', result: path, report: out, bytes },
          text: `report ${out} (${Math.ceil(bytes / 1000)} kB)`,
        };
      }),
    );

function defaultOut(path: string): string {
  return `${path.replace(/\.json$/i, '')}.html`;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw sessionErrors.make('result_invalid', `${path} cannot be read: ${messageOf(thrown)}`, { path }, thrown);
  }
}

async function write(path: string, page: string): Promise<void> {
  try {
    await writeFile(path, page);
  } catch (thrown) {
    throw researchErrors.make('report_unwritable', `${path} cannot be written: ${messageOf(thrown)}`, { path }, thrown);
  }
}
