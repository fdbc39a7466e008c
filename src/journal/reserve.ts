/**
 * Real blocks released on a full disk for kill, cancels and results; no sends then. Restored at start, released at an orderly
 * end.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** About 100,000 rows, beyond an orderly end's need. */
export const RESERVE_BYTES = 64 * 1024 * 1024;
const FILE = 'reserve';
const BLOCK_BYTES = 1024 * 1024;

export interface Reserve {
  /** True the first time. */
  release(): boolean;
}

/** Real zeros: a sparse file reserves nothing. Throws the disk's error. */
export function holdReserve(dir: string, bytes: number): Reserve {
  const path = join(dir, FILE);
  if (bytes > 0 && !(existsSync(path) && statSync(path).size >= bytes)) fill(path, bytes);
  let isHeld = bytes > 0;
  return {
    release: () => {
      const wasHeld = isHeld;
      isHeld = false;
      if (wasHeld) rmSync(path, { force: true });
      return wasHeld;
    },
  };
}

function fill(path: string, bytes: number): void {
  const block = Buffer.alloc(BLOCK_BYTES);
  let isWhole = false;
  const handle = openSync(path, 'w', 0o600);
  try {
    for (let left = bytes; left > 0; left -= BLOCK_BYTES) writeSync(handle, block, 0, Math.min(left, BLOCK_BYTES));
    fsyncSync(handle);
    isWhole = true;
  } finally {
    closeSync(handle);
    if (!isWhole) rmSync(path, { force: true });
  }
}
