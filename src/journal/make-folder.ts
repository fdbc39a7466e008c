/** Folders step by step: Node's recursive way loops where an existing folder is reported missing (`/proc`, network mounts). */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Leaves what exists. @throws the file system's error */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
