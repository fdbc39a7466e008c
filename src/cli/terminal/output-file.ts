/** Files that a command was asked to write. Replaced atomically, so that a full disk or crash keeps the old file. */
import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../journal/files/files.ts';
import { isTidewireError } from '../../model/errors.ts';
import { writeText } from '../../session/result/json-pieces.ts';
import { cannotWrite } from '../../session/store/cannot-write.ts';

/** The link's target; null for a device or pipe, which is written directly. */
function replaced(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  // /dev/stdout as a pipe is a link without a path.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return null;
  return realpathSync(path);
}

type Text = string | Iterable<string>;

/** `lasts`: durable when it returns. */
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
    // Left by a dead process; it would keep its mode.
    rmSync(draft, { force: true });
    writeTo(openSync(draft, 'wx', mode), text, true);
    renameSync(draft, target);
    syncFolder(dirname(target));
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Makes a missing folder. Throws `disk_full`. */
export function writeOutput(path: string, text: Text, mode = 0o666): void {
  try {
    makeFolder(dirname(path));
    write(path, text, mode);
  } catch (thrown) {
    // The text may be read lazily and throw its own error.
    if (isTidewireError(thrown)) throw thrown;
    throw cannotWrite(path, thrown);
  }
}
