/**
 * Files that a command was asked to write: results, reports, exports. What stood there before stays whole until the new
 * file is, on disk: neither a full disk nor a crash costs an earlier result. Called by the commands; the folders of
 * sessions write their own.
 */
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../execution/journal/make-folder.ts';
import { syncFolder } from '../execution/journal/sync-folder.ts';
import { messageOf } from '../model/errors.ts';
import { sessionErrors } from '../session/errors.ts';

/** The file to replace: what a link points to; null for a device or a pipe, which is written to as it is. */
function replaced(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return path;
  return found.isSymbolicLink() ? replaced(realpathSync(path)) : null;
}

function write(path: string, text: string, mode: number): void {
  const target = replaced(path);
  if (target === null) return writeFileSync(path, text);
  const draft = `${target}.partial`;
  try {
    // Of a process that died here; another would keep its mode.
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode, flag: 'wx', flush: true });
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Makes the folder where it is missing. Throws `disk_full`. */
export function writeOutput(path: string, text: string, mode = 0o666): void {
  try {
    makeFolder(dirname(path));
    write(path, text, mode);
  } catch (thrown) {
    throw sessionErrors.make('disk_full', `cannot write ${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}
