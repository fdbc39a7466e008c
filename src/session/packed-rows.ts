/**
 * The rows of a run in the order in which they came, kept for its result: the newest `rowsMax`. Those that are over lie
 * compressed, a block at a time, as the JSON that the result will be made of: a tenth of what the objects take, and outside
 * the heap that V8 lets grow to several times of what is alive. The blocks that are being written and those with a row that
 * may still change stay as they are, so that a short run packs nothing. Used by `run-recorder.ts`.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const BLOCK_ROWS = 1024;
/** The fastest: rows of one run are alike. */
const LEVEL = 1;

export interface PackedRowsOptions<T> {
  readonly rowsMax: number;
  /** Whether a row will not change any more, as far as can be told. */
  readonly isOver: (row: T) => boolean;
}

interface Packed {
  readonly bytes: Uint8Array;
  readonly textBytes: number;
}

/** Rows of plain JSON: what is `undefined`, NaN or a class would not come back. */
export class PackedRows<T> {
  readonly #options: PackedRowsOptions<T>;
  /** By number, in order. */
  readonly #blocks = new Map<number, T[] | Packed>();
  #first = 0;
  #next = 0;

  constructor(options: PackedRowsOptions<T>) {
    this.#options = options;
  }

  get length(): number {
    return this.#next - this.#first;
  }

  /** The number of the oldest row that is kept; those before were given up. */
  get first(): number {
    return this.#first;
  }

  /** Rows that lie there as objects. */
  get looseCount(): number {
    let count = 0;
    for (const block of this.#blocks.values()) if (Array.isArray(block)) count += block.length;
    return count;
  }

  /** Answers its number, which it has for ever. */
  push(row: T): number {
    const number = this.#next++;
    if (number % BLOCK_ROWS === 0) this.#begin(number / BLOCK_ROWS);
    this.#rowsOf(number).push(row);
    if (this.length > this.#options.rowsMax && ++this.#first % BLOCK_ROWS === 0)
      this.#blocks.delete(this.#first / BLOCK_ROWS - 1);
    return number;
  }

  /** The row itself, to be changed in place. Undefined when it was given up. */
  at(number: number): T | undefined {
    return number < this.#first || number >= this.#next ? undefined : this.#rowsOf(number)[number % BLOCK_ROWS];
  }

  *[Symbol.iterator](): Generator<T> {
    for (const [number, block] of this.#blocks) {
      const rows = Array.isArray(block) ? block : unpacked<T>(block);
      const from = Math.max(0, this.#first - number * BLOCK_ROWS);
      for (let at = from; at < rows.length; at++) yield rows[at]!;
    }
  }

  /** The block before stays loose: what comes late for a row comes soon. */
  #begin(block: number): void {
    for (const [number, rows] of this.#blocks)
      if (number < block - 1 && Array.isArray(rows) && rows.every(this.#options.isOver))
        this.#blocks.set(number, packed(rows));
    this.#blocks.set(block, []);
  }

  #rowsOf(number: number): T[] {
    const block = Math.floor(number / BLOCK_ROWS);
    const found = this.#blocks.get(block) ?? [];
    if (Array.isArray(found)) return found;
    const rows = unpacked<T>(found);
    this.#blocks.set(block, rows);
    return rows;
  }
}

function packed(rows: readonly unknown[]): Packed {
  const text = Buffer.from(JSON.stringify(rows));
  const bytes = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  // A copy: what zlib answers is the beginning of a longer buffer.
  return { bytes: new Uint8Array(bytes), textBytes: text.length };
}

function unpacked<T>({ bytes, textBytes }: Packed): T[] {
  const text = zstdDecompressSync(bytes, { maxOutputLength: textBytes }).toString();
  // What `packed` was given.
  return JSON.parse(text) as T[];
}
