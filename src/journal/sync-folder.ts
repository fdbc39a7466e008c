/** Makes renamed files in a folder durable under their names. */
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
