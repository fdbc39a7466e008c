/**
 * Rows of a run in columns by blocks. Finished blocks are compressed outside the V8 heap.
 *
 *   number of a row ─▶ block number / BLOCK_ROWS ─▶ column ─▶ value at number % BLOCK_ROWS
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export const BLOCK_ROWS = 4096;
const LEVEL = 1;

/** NaN for no number. */
type Column = (string | null)[] | Float64Array<ArrayBuffer>;

export type Block<B> = { readonly [Name in keyof B]: Column };

export interface PackedRowsOptions<B extends Block<B>> {
  readonly rowsMax: number;
  readonly block: () => B;
  /** Whether its rows will probably not change any more. */
  readonly isOver: (block: B, number: number) => boolean;
  /** Called when all of its rows were dropped. */
  readonly givenUp?: (block: B, number: number) => void;
}

/** Number columns, then text columns as JSON. */
interface Packed {
  readonly bytes: Uint8Array;
  readonly size: number;
}

export function numberColumn(): Float64Array<ArrayBuffer> {
  return new Float64Array(BLOCK_ROWS).fill(Number.NaN);
}

export class PackedRows<B extends Block<B>> {
  readonly #options: PackedRowsOptions<B>;
  /** By block number, ascending. */
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

  get first(): number {
    return this.#first;
  }

  get looseCount(): number {
    let count = 0;
    for (const number of this.#loose.keys()) count += Math.min(BLOCK_ROWS, this.#next - number * BLOCK_ROWS);
    return count;
  }

  /** Returns the row's permanent number. */
  push(): number {
    const number = this.#next++;
    if (number % BLOCK_ROWS === 0) this.#begin(number / BLOCK_ROWS);
    if (this.length > this.#options.rowsMax && ++this.#first % BLOCK_ROWS === 0)
      this.#giveUp(this.#first / BLOCK_ROWS - 1);
    return number;
  }

  at(number: number): B | undefined {
    if (number < this.#first || number >= this.#next) return undefined;
    const block = Math.floor(number / BLOCK_ROWS);
    return this.#loose.get(block) ?? this.#unpack(block);
  }

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

  /** Late changes come soon: the previous block stays loose. */
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
  // A column with one text in all rows is stored once.
  const short = texts.map((column) => (column.every((text) => text === column[0]) ? [column[0]] : column));
  const parts = numbers.map(({ buffer }) => new Uint8Array(buffer));
  const plain = Buffer.concat([...parts, Buffer.from(JSON.stringify(short))]);
  const bytes = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  // A copy: zlib returns part of a larger buffer.
  return { bytes: new Uint8Array(bytes), size: plain.length };
}

function unpacked<B extends Block<B>>({ bytes, size }: Packed, block: B): B {
  const plain = zstdDecompressSync(bytes, { maxOutputLength: size });
  const { numbers, texts } = columnsOf(block);
  let at = 0;
  for (const column of numbers) {
    new Uint8Array(column.buffer).set(plain.subarray(at, at + column.byteLength));
    at += column.byteLength;
  }
  const short = JSON.parse(plain.toString('utf8', at)) as (string | null)[][];
  for (const [index, column] of texts.entries()) {
    const rows = short[index]!;
    for (let row = 0; row < BLOCK_ROWS; row++) column.push(rows[rows.length === 1 ? 0 : row]!);
  }
  return block;
}
