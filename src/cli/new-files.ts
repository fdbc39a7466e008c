/** Writes the files of `new` and `init`: all of them or none, and never over another one; and what to run next. */
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../journal/files/files.ts';
import { messageOf } from '../model/errors.ts';
import { strategyErrors } from '../strategy/errors.ts';
import { templates, type NewFile, type TemplateName } from '../strategy/loading/template-files.ts';

export const TEMPLATES_HELP = Object.entries(templates)
  .map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
  .join('\n');

function isThere(thrown: unknown): boolean {
  return (thrown as { readonly code?: unknown } | null)?.code === 'EEXIST';
}

/** Absolute paths, in order. Throws `strategy_exists`, `strategy_unwritable`. */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<readonly string[]> {
  const begun: string[] = [];
  let file = folder;
  try {
    makeFolder(folder);
    for (const { name, content } of files) {
      file = join(folder, name);
      makeFolder(dirname(file));
      // `wx`: never overwrites a file, even in a race.
      await writeFile(file, content, { flag: 'wx' }).catch((thrown: unknown) => {
        // A write that failed on the way has made a partial file.
        if (!isThere(thrown)) begun.push(file);
        throw thrown;
      });
      begun.push(file);
    }
    return begun;
  } catch (thrown) {
    await Promise.all(begun.map((path) => rm(path, { force: true }).catch(() => undefined)));
    if (isThere(thrown))
      throw strategyErrors.make('strategy_exists', `${file} is there already and was not changed`, { file });
    throw strategyErrors.make(
      'strategy_unwritable',
      `${file} cannot be written: ${messageOf(thrown)}`,
      { file },
      thrown,
    );
  }
}

/** The first commands for what was written, the strategy first. `dataOf`: the path of a sample. */
export function nextCommands(
  template: TemplateName | null,
  files: readonly string[],
  dataOf: (sample: string) => string,
): readonly string[] {
  const [strategy = ''] = files;
  const ending = (end: string): string | undefined => files.find((file) => file.endsWith(end));
  const [test, space, config] = ['.test.ts', '.space.yaml', '.config.yaml'].map(ending);
  const withConfig = config === undefined ? '' : ` --config ${config}`;
  const { sample, isSearched, paperFor } = templates[template ?? 'maker'];
  const data = dataOf(sample);
  return [
    ...(test === undefined ? [] : [`npx vitest run ${test}`]),
    `npx tidewire paper ${strategy}${withConfig} --for ${paperFor}`,
    `npx tidewire backtest ${strategy}${withConfig} --data ${data} --without-lockbox`,
    ...(space === undefined || !isSearched
      ? []
      : [`npx tidewire sweep ${strategy}${withConfig} --space ${space} --data ${data}`]),
  ];
}
