/**
 * The reserve of a journal (P02): a file of real blocks beside it. When the disk is full it is given back, so that the kill
 * row, cancels and what the exchange says of them can still be written; nothing new is sent from then on. The next start
 * puts it back; an orderly end gives it back, too. Used by the SQLite store alone.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Room for some 100,000 rows: far more than an orderly end of a session writes. */
export const RESERVE_BYTES = 64 * 1024 * 1024;
const FILE = 'reserve';
const BLOCK_BYTES = 1024 * 1024;

export interface Reserve {
  /** Gives the space back; true the first time. */
  release(): boolean;
}

/** Real zeros, since a sparse file reserves nothing. Throws what the disk says when there is no room for it. */
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
    // Half a reserve on a disk that is full only makes it fuller.
    if (!isWhole) rmSync(path, { force: true });
  }
}
