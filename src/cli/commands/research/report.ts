/**
 * `report RESULT.json… [--out FILE.html]`: an HTML page of one result, or a comparison; by default beside the first.
 */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf } from '../../../model/errors.ts';
import { researchErrors } from '../../../research/errors.ts';
import { COMPARED_MAX } from '../../../research/report/compare/render.ts';
import { resultPage, type ResultFile } from '../../../research/result-page.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { action, type BuildCommand, type CommandResult } from '../../command.ts';
import { writeOutput } from '../../terminal/output-file.ts';

export const build: BuildCommand = (io) =>
  new Command('report')
    .description('make the HTML report of a result file, or compare several in one page')
    .argument(
      '<results...>',
      'JSON files that `backtest`, `sweep` or `validate` with `--result FILE`, `paper` or `run` wrote; the others are compared with the first run',
    )
    .option('--out <file>', 'where the report goes; beside the (first) result file, ending in .html, when left out')
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx tidewire report result.json --out report.html\n  $ npx tidewire report before.json after.json --out compared.html\n',
    )
    .action(
      action(io, async (results: readonly string[], options: { readonly out?: string }): Promise<CommandResult> => {
        const paths = results.map((path) => resolve(io.cwd, path));
        checkNumber(paths.length);
        const out = resolve(io.cwd, options.out ?? defaultOut(paths));
        const page = await pageOf(paths, io.cwd);
        write(out, page);
        const bytes = Buffer.byteLength(page);
        const of = paths.length === 1 ? { result: paths[0] } : { results: paths };
        return {
          json: { command: 'report', ...of, report: out, bytes },
          text: `report ${out} (${Math.ceil(bytes / 1000)} kB)`,
        };
      }),
    );

function checkNumber(results: number): void {
  if (results <= COMPARED_MAX) return;
  throw researchErrors.make(
    'report_compare',
    `${results} results were given; ${COMPARED_MAX} fit into one comparison`,
    {
      results,
    },
  );
}

async function pageOf(paths: readonly string[], cwd: string): Promise<string> {
  const files: ResultFile[] = [];
  for (const path of paths) files.push({ path, name: relative(cwd, path), text: await textOf(path) });
  return resultPage(files);
}

function defaultOut(paths: readonly string[]): string {
  const stem = (paths[0] ?? '').replace(/\.json$/i, '');
  return paths.length === 1 ? `${stem}.html` : `${stem}.compared.html`;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw sessionErrors.make('result_invalid', `${path} cannot be read: ${messageOf(thrown)}`, { path }, thrown);
  }
}

function write(path: string, page: string): void {
  try {
    writeOutput(path, page);
  } catch (thrown) {
    throw researchErrors.make('report_unwritable', messageOf(thrown), { path }, thrown);
  }
}
