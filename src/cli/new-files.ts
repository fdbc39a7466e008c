/** Writes the files of `new`: all of them or none, and never over another one. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../journal/make-folder.ts';
import { messageOf } from '../model/errors.ts';
import { strategyErrors } from '../strategy/errors.ts';
import type { NewFile } from '../strategy/loading/template-files.ts';

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
