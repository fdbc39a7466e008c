/** `--data DIR` of commands that show the sessions of a machine: their folder, or the one above it. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sessionErrors } from '../../session/errors.ts';
import type { CliIo } from '../command.ts';

/** `data` undefined: `fallback`, which need not exist yet. Throws `bad_option` for a folder that is none. */
export function sessionsRoot(io: Pick<CliIo, 'cwd'>, data: string | undefined, fallback: string): string {
  if (data === undefined) return resolve(io.cwd, fallback);
  const given = resolve(io.cwd, data);
  if (!isFolder(given))
    throw sessionErrors.make('bad_option', `--data ${data}: there is no folder ${given}`, { option: 'data' });
  const below = join(given, 'sessions');
  return isFolder(below) ? below : given;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
