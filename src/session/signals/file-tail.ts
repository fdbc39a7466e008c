/** The new lines of a growing file. An incomplete line waits. A line that is too long is reported and skipped. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LINE_BYTES_MAX } from './signal-line.ts';

const CHUNK_BYTES = 2 ** 20;
const LINE_END = 10;

export type TailEvent =
  | { readonly kind: 'line'; readonly text: string; readonly at: number }
  | { readonly kind: 'too-long'; readonly at: number }
  /** It is shorter than what was read: it is read from its start. */
  | { readonly kind: 'truncated' };

export class FileTail {
  readonly path: string;
  /** Of the first byte that is not handed out. */
  offset: number;
  /** Bytes at the last read. */
  size = 0;
  #isOverlong = false;

  constructor(path: string, offset: number) {
    this.path = path;
    this.offset = offset;
  }

  /** At most one chunk of lines. Throws what Node throws, `ENOENT` while there is no file. */
  read(): readonly TailEvent[] {
    const file = openSync(this.path, 'r');
    try {
      const events: TailEvent[] = [];
      this.size = fstatSync(file).size;
      if (this.size < this.offset) {
        events.push({ kind: 'truncated' });
        this.offset = 0;
        this.#isOverlong = false;
      }
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(file, chunk, 0, CHUNK_BYTES, this.offset);
      this.#split(chunk.subarray(0, bytes), events);
      return events;
    } finally {
      closeSync(file);
    }
  }

  #split(chunk: Buffer, events: TailEvent[]): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      const at = this.offset + from;
      if (this.#isOverlong) this.#isOverlong = false;
      else if (end - from > LINE_BYTES_MAX) events.push({ kind: 'too-long', at });
      else events.push({ kind: 'line', at, text: chunk.toString('utf8', from, end) });
      from = end + 1;
    }
    const rest = chunk.length - from;
    if (rest > LINE_BYTES_MAX) {
      if (!this.#isOverlong) events.push({ kind: 'too-long', at: this.offset + from });
      this.#isOverlong = true;
      from = chunk.length;
    }
    this.offset += from;
  }
}
