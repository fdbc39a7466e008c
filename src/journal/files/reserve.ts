/**
 * Real blocks that are released on a full disk, for kill, cancels and results; nothing else is sent then. Allocated at
 * start, released at an orderly end.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './files.ts';

/** About 100,000 rows, more than an orderly end needs. */
export const RESERVE_BYTES = 64 * 1024 * 1024;
const FILE = 'reserve';

/**
 * Writes zeros, because a sparse file reserves nothing. The returned function releases it; true the first time. Throws
 * the disk's error.
 */
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
