/**
 * Real blocks released on a full disk for kill, cancels and results; no sends then. Restored at start, released at an orderly
 * end.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './files.ts';

/** About 100,000 rows, beyond an orderly end's need. */
export const RESERVE_BYTES = 64 * 1024 * 1024;
const FILE = 'reserve';

/** Real zeros: a sparse file reserves nothing. The answer releases it; true the first time. Throws the disk's error. */
export function holdReserve(dir: string, bytes: number): () => boolean {
  const path = join(dir, FILE);
  if (bytes > 0 && !(existsSync(path) && statSync(path).size >= bytes)) writeWhole(path, Buffer.alloc(bytes));
  let isHeld = bytes > 0;
  return () => {
    const wasHeld = isHeld;
    isHeld = false;
    if (wasHeld) rmSync(path, { force: true });
    return wasHeld;
  };
}
