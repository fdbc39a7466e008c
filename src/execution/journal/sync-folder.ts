/**
 * Makes the names in a folder durable: a file that was put in place by rename is on disk under its name only after this.
 * Called by whoever replaces a file whole: backups here, `session/owner-file.ts`, the files of the commands.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** @throws the file system's error */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
