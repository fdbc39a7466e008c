/**
 * One raw frame as received:
 *
 *   row:  receiveUs f64 │ kind u8 │ generation u32 │ bytes u32 │ UTF-8 text
 *
 * Lone surrogates become U+FFFD; other text is kept byte for byte.
 */

/** A `note` is our own JSON. */
export const FRAME_KINDS = ['public', 'private', 'rest', 'note'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

export interface FrameRow {
  /** Local receive time, µs. */
  readonly receiveUs: number;
  readonly kind: FrameKind;
  /** Connection count; in an import, the input file's index. */
  readonly generation: number;
  readonly text: string;
}

const ROW_HEADER_BYTES = 17;
const MIN_CAPACITY = 64 * 1024;

/** Collects rows for one block. */
export class RowBuffer {
  #bytes: Buffer = Buffer.allocUnsafe(MIN_CAPACITY);
  #length = 0;
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  get length(): number {
    return this.#length;
  }

  add(row: FrameRow): void {
    this.#reserve(ROW_HEADER_BYTES + row.text.length * 3);
    const start = this.#length;
    const written = this.#bytes.write(row.text, start + ROW_HEADER_BYTES, 'utf8');
    this.#bytes.writeDoubleLE(row.receiveUs, start);
    this.#bytes.writeUInt8(FRAME_KINDS.indexOf(row.kind), start + 8);
    this.#bytes.writeUInt32LE(row.generation, start + 9);
    this.#bytes.writeUInt32LE(written, start + 13);
    this.#length = start + ROW_HEADER_BYTES + written;
    this.#rows++;
  }

  /** A copy; empties the buffer. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    this.#rows = 0;
    return taken;
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Null when lengths do not match. */
export function readRows(raw: Buffer, count: number): FrameRow[] | null {
  const rows: FrameRow[] = [];
  let at = 0;
  while (at + ROW_HEADER_BYTES <= raw.length) {
    const kind = FRAME_KINDS[raw.readUInt8(at + 8)];
    const end = at + ROW_HEADER_BYTES + raw.readUInt32LE(at + 13);
    if (kind === undefined || end > raw.length) return null;
    rows.push({
      receiveUs: raw.readDoubleLE(at),
      kind,
      generation: raw.readUInt32LE(at + 9),
      text: raw.toString('utf8', at + ROW_HEADER_BYTES, end),
    });
    at = end;
  }
  return at === raw.length && rows.length === count ? rows : null;
}
