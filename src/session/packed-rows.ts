/**
 * The rows of a run in the order in which they came, kept for its result: the newest `rowsMax`. Those that are over lie
 * compressed, a block at a time, as columns of doubles and the JSON of their texts: a tenth of what the objects take, and
 * outside the heap that V8 lets grow to several times of what is alive. The blocks that are being written and those with a
 * row that may still change stay as they are, so that a short run packs nothing. Used by `run-recorder.ts`.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export const BLOCK_ROWS = 1024;
/** The fastest: rows of one run are alike. */
const LEVEL = 1;

type TextRow = readonly (string | null)[];
/** As many of each row; none is NaN. */
type NumberRow = readonly (number | null)[];

/** A row as what lies in columns, and back. */
export interface RowColumns<T, Texts extends TextRow, Numbers extends NumberRow> {
  readonly texts: (row: T) => Texts;
  readonly numbers: (row: T) => Numbers;
  readonly row: (texts: Texts, numbers: Numbers) => T;
}

export interface PackedRowsOptions<T, Texts extends TextRow, Numbers extends NumberRow> {
  readonly rowsMax: number;
  /** Whether a row will not change any more, as far as can be told. */
  readonly isOver: (row: T) => boolean;
  readonly columns: RowColumns<T, Texts, Numbers>;
}

interface Packed {
  readonly bytes: Uint8Array;
  /** Of the bytes that were compressed. */
  readonly size: number;
  readonly rows: number;
  readonly numbers: number;
}

export class PackedRows<T, Texts extends TextRow, Numbers extends NumberRow> {
  readonly #options: PackedRowsOptions<T, Texts, Numbers>;
  /** By number, in order. */
  readonly #blocks = new Map<number, T[] | Packed>();
  #first = 0;
  #next = 0;

  constructor(options: PackedRowsOptions<T, Texts, Numbers>) {
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
      const rows = Array.isArray(block) ? block : unpacked(block, this.#options.columns);
      const from = Math.max(0, this.#first - number * BLOCK_ROWS);
      for (let at = from; at < rows.length; at++) yield rows[at]!;
    }
  }

  /** The block before stays loose: what comes late for a row comes soon. */
  #begin(block: number): void {
    const { isOver, columns } = this.#options;
    for (const [number, rows] of this.#blocks)
      if (number < block - 1 && Array.isArray(rows) && rows.every(isOver))
        this.#blocks.set(number, packed(rows, columns));
    this.#blocks.set(block, []);
  }

  #rowsOf(number: number): T[] {
    const block = Math.floor(number / BLOCK_ROWS);
    const found = this.#blocks.get(block) ?? [];
    if (Array.isArray(found)) return found;
    const rows = unpacked(found, this.#options.columns);
    this.#blocks.set(block, rows);
    return rows;
  }
}

/** Its columns of numbers one after the other, then its texts. */
function packed<T>(rows: readonly T[], columns: Pick<RowColumns<T, TextRow, NumberRow>, 'texts' | 'numbers'>): Packed {
  const numbers = columns.numbers(rows[0]!).length;
  const values = new Float64Array(numbers * rows.length);
  for (const [at, row] of rows.entries()) {
    let index = at;
    for (const value of columns.numbers(row)) {
      values[index] = value ?? Number.NaN;
      index += rows.length;
    }
  }
  const text = JSON.stringify(rows.map(columns.texts));
  const plain = Buffer.concat([new Uint8Array(values.buffer), Buffer.from(text)]);
  const bytes = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  // A copy: what zlib answers is the beginning of a longer buffer.
  return { bytes: new Uint8Array(bytes), size: plain.length, rows: rows.length, numbers };
}

function unpacked<T, Texts extends TextRow, Numbers extends NumberRow>(
  { bytes, size, rows, numbers }: Packed,
  columns: RowColumns<T, Texts, Numbers>,
): T[] {
  const plain = zstdDecompressSync(bytes, { maxOutputLength: size });
  const end = numbers * rows * Float64Array.BYTES_PER_ELEMENT;
  const values = new Float64Array(new Uint8Array(plain.subarray(0, end)).buffer);
  // What `packed` was given.
  const texts = JSON.parse(plain.toString('utf8', end)) as Texts[];
  return texts.map((ofTexts, at) => {
    const ofNumbers = Array.from({ length: numbers }, (_, column) => {
      const value = values[column * rows + at]!;
      return Number.isNaN(value) ? null : value;
    });
    return columns.row(ofTexts, ofNumbers as NumberRow as Numbers);
  });
}
