/** Files that are whole and durable under their names, or not there. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws the file system's error */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** For its owner alone. @throws the file system's error, and leaves what was there */
export function writeWhole(path: string, bytes: Buffer): void {
  const draft = `${path}.partial`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}
