/** Folders step by step: Node's recursive way loops where an existing folder is reported missing (`/proc`, network mounts). */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Leaves what exists. @throws the file system's error */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (isFolder(path)) return;
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw thrown;
    makeFolder(dirname(path), mode);
    // Another process may have been quicker.
    makeOne(path, mode);
  }
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (!isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
