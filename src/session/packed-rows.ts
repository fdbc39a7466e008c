/**
 * The rows of a run in the order in which they came, kept for its result: the newest `rowsMax`, in columns, a block of rows
 * at a time. Blocks whose rows are over lie compressed: a tenth of what objects take, and outside the heap that V8 lets grow
 * to several times of what is alive. Those that are being written and those with a row that may still change stay as they
 * are, so that a short run packs nothing. Used by `kept-orders.ts` and `kept-fills.ts`.
 *
 *   number of a row ─▶ block number / BLOCK_ROWS ─▶ column ─▶ value at number % BLOCK_ROWS
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export const BLOCK_ROWS = 1024;
/** The fastest: rows of one run are alike. */
const LEVEL = 1;

/** Texts; or numbers, of which NaN stands for none. */
type Column = (string | null)[] | Float64Array<ArrayBuffer>;

/** Columns by name, always the same ones. */
export type Block<B> = { readonly [Name in keyof B]: Column };

export interface PackedRowsOptions<B extends Block<B>> {
  readonly rowsMax: number;
  /** An empty one. */
  readonly block: () => B;
  /** Whether none of its rows will change any more, as far as can be told. */
  readonly isOver: (block: B, number: number) => boolean;
  /** All of its rows were given up. */
  readonly givenUp?: (block: B, number: number) => void;
}

/** The columns of numbers one after the other, then those of texts as JSON. */
interface Packed {
  readonly bytes: Uint8Array;
  /** Before it was compressed. */
  readonly size: number;
}

/** Of one block. */
export function numberColumn(): Float64Array<ArrayBuffer> {
  return new Float64Array(BLOCK_ROWS).fill(Number.NaN);
}

export class PackedRows<B extends Block<B>> {
  readonly #options: PackedRowsOptions<B>;
  /** By number, in order. */
  readonly #loose = new Map<number, B>();
  readonly #packed = new Map<number, Packed>();
  #first = 0;
  #next = 0;

  constructor(options: PackedRowsOptions<B>) {
    this.#options = options;
  }

  get length(): number {
    return this.#next - this.#first;
  }

  /** The number of the oldest row that is kept; those before were given up. */
  get first(): number {
    return this.#first;
  }

  /** Rows that do not lie compressed. */
  get looseCount(): number {
    let count = 0;
    for (const number of this.#loose.keys()) count += Math.min(BLOCK_ROWS, this.#next - number * BLOCK_ROWS);
    return count;
  }

  /** Room for a row. Answers its number, which it has for ever. */
  push(): number {
    const number = this.#next++;
    if (number % BLOCK_ROWS === 0) this.#begin(number / BLOCK_ROWS);
    if (this.length > this.#options.rowsMax && ++this.#first % BLOCK_ROWS === 0)
      this.#giveUp(this.#first / BLOCK_ROWS - 1);
    return number;
  }

  /** The block with the row at `number % BLOCK_ROWS`, to be changed in place. Undefined when the row was given up. */
  at(number: number): B | undefined {
    if (number < this.#first || number >= this.#next) return undefined;
    const block = Math.floor(number / BLOCK_ROWS);
    return this.#loose.get(block) ?? this.#unpack(block);
  }

  /** What `row` makes of each, oldest first. */
  map<T>(row: (block: B, at: number) => T): T[] {
    const rows: T[] = [];
    for (let number = this.#first; number < this.#next;) {
      const index = Math.floor(number / BLOCK_ROWS);
      const packed = this.#packed.get(index);
      const block = packed === undefined ? this.#loose.get(index)! : unpacked(packed, this.#options.block());
      const end = Math.min(this.#next, (index + 1) * BLOCK_ROWS);
      for (; number < end; number++) rows.push(row(block, number % BLOCK_ROWS));
    }
    return rows;
  }

  /** The block before stays loose: what comes late for a row comes soon. */
  #begin(number: number): void {
    for (const [other, block] of this.#loose) {
      if (other >= number - 1 || !this.#options.isOver(block, other)) continue;
      this.#loose.delete(other);
      this.#packed.set(other, packed(block));
    }
    this.#loose.set(number, this.#options.block());
  }

  #unpack(number: number): B | undefined {
    const packed = this.#packed.get(number);
    if (packed === undefined) return undefined;
    const block = unpacked(packed, this.#options.block());
    this.#packed.delete(number);
    this.#loose.set(number, block);
    return block;
  }

  #giveUp(number: number): void {
    const { givenUp } = this.#options;
    if (givenUp !== undefined) givenUp(this.#loose.get(number) ?? this.#unpack(number)!, number);
    this.#loose.delete(number);
    this.#packed.delete(number);
  }
}

function columnsOf<B extends Block<B>>(
  block: B,
): { readonly numbers: Float64Array[]; readonly texts: (string | null)[][] } {
  const numbers: Float64Array[] = [];
  const texts: (string | null)[][] = [];
  for (const column of Object.values<Column>(block))
    if (Array.isArray(column)) texts.push(column);
    else numbers.push(column);
  return { numbers, texts };
}

function packed<B extends Block<B>>(block: B): Packed {
  const { numbers, texts } = columnsOf(block);
  // A column of one text is that text in each row.
  const short = texts.map((column) => (column.every((text) => text === column[0]) ? [column[0]] : column));
  const parts = numbers.map(({ buffer }) => new Uint8Array(buffer));
  const plain = Buffer.concat([...parts, Buffer.from(JSON.stringify(short))]);
  const bytes = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  // A copy: what zlib answers is the beginning of a longer buffer.
  return { bytes: new Uint8Array(bytes), size: plain.length };
}

/** Into an empty block. */
function unpacked<B extends Block<B>>({ bytes, size }: Packed, block: B): B {
  const plain = zstdDecompressSync(bytes, { maxOutputLength: size });
  const { numbers, texts } = columnsOf(block);
  let at = 0;
  for (const column of numbers) {
    new Uint8Array(column.buffer).set(plain.subarray(at, at + column.byteLength));
    at += column.byteLength;
  }
  // What `packed` was given.
  const short = JSON.parse(plain.toString('utf8', at)) as (string | null)[][];
  for (const [index, column] of texts.entries()) {
    const rows = short[index]!;
    for (let row = 0; row < BLOCK_ROWS; row++) column.push(rows[rows.length === 1 ? 0 : row]!);
  }
  return block;
}
