/**
 * Files that a command was asked to write: results, reports, exports. What stood there before stays whole until the new
 * file is, on disk: neither a full disk nor a crash costs an earlier result. Called by the commands; the folders of
 * sessions write their own.
 */
import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../execution/journal/make-folder.ts';
import { syncFolder } from '../execution/journal/sync-folder.ts';
import { isTidewireError } from '../model/errors.ts';
import { writeText } from '../session/json-pieces.ts';
import { cannotWrite } from '../session/cannot-write.ts';

/** The file to replace: what a link points to; null for a device or a pipe, which is written to as it is. */
function replaced(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  // Of a pipe the link that /dev/stdout is has no path behind it.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return null;
  return realpathSync(path);
}

type Text = string | Iterable<string>;

/** `lasts`: on the disk when it returns. */
function writeTo(handle: number, text: Text, lasts: boolean): void {
  try {
    writeText(handle, text);
    if (lasts) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function write(path: string, text: Text, mode: number): void {
  const target = replaced(path);
  if (target === null) return writeTo(openSync(path, 'w'), text, false);
  const draft = `${target}.partial`;
  try {
    // Of a process that died here; another would keep its mode.
    rmSync(draft, { force: true });
    writeTo(openSync(draft, 'wx', mode), text, true);
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Makes the folder where it is missing. Throws `disk_full`. */
export function writeOutput(path: string, text: Text, mode = 0o666): void {
  try {
    makeFolder(dirname(path));
    write(path, text, mode);
  } catch (thrown) {
    // What is written may be read meanwhile.
    if (isTidewireError(thrown)) throw thrown;
    throw cannotWrite(path, thrown);
  }
}
