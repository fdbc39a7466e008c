/**
 * Makes a folder and those above it, step by step. Node's own recursive way goes round for ever where the system says of a
 * folder that is there that it is missing (`/proc`, some network mounts); here every step is tried once. Called by whoever
 * writes where a user said: journals, sessions, results.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is there already is left as it is. @throws the file system's error */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (isFolder(path)) return;
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    // A parent that is there and said to be missing takes no folders.
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw thrown;
    makeFolder(dirname(path), mode);
    // Once more, and another process may have been quicker.
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
