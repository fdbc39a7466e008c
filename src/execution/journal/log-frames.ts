/**
 * The last known frame of a write-ahead log, read through a descriptor of its own (SQLite locks nothing in the log). A log
 * that is cut and then appended to at the old offset is as long as before, with a hole where its frames were: the page number
 * of a frame, its first word, is 0 nowhere else (SQLite file format, "The Write-Ahead Log"). Used by `linked-files.ts`.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const WORD_BYTES = 4;

export class LogFrames {
  readonly #descriptor: number;
  readonly #frameBytes: number;
  readonly #word = Buffer.alloc(WORD_BYTES);

  /** Throws where the log cannot be opened. */
  constructor(path: string, pageBytes: number) {
    this.#descriptor = openSync(path, 'r');
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
  }

  /** Whether the frame that ended at `bytes` is gone. Throws where it cannot be read. */
  readonly hasHole = (bytes: bigint): boolean => {
    const at = Number(bytes) - this.#frameBytes;
    if (at < LOG_HEADER_BYTES || (at - LOG_HEADER_BYTES) % this.#frameBytes !== 0) return false;
    this.#word.fill(0);
    readSync(this.#descriptor, this.#word, 0, WORD_BYTES, at);
    return this.#word.readUInt32BE() === 0;
  };

  close(): void {
    closeSync(this.#descriptor);
  }
}
