/**
 * Checks the log's last known frame by its own descriptor (SQLite locks nothing there). A log cut and regrown has a hole: a
 * frame's first word, its page number, is never 0.
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

  /** The frame ending at `bytes` is gone. Throws where unreadable. */
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
