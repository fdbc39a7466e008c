/**
 * One raw frame as received, and its place in a block:
 *
 *   row:  receiveUs f64 │ kind u8 │ generation u32 │ bytes u32 │ UTF-8 text
 *
 * Text is kept byte for byte, so that it can be decoded again later by a better decoder (wall 5). Times are integer
 * microseconds (rule T1). Text must be well-formed UTF-16, as every WebSocket text frame is; lone surrogates become U+FFFD.
 */

/** Where a frame came from. A `note` is ours: JSON about the connection, never from the exchange. */
export const FRAME_KINDS = ['public', 'private', 'rest', 'note'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

export interface FrameRow {
  /** Local receive time, µs. */
  readonly receiveUs: number;
  readonly kind: FrameKind;
  /** Counts connections; in an import, the index of the input file. */
  readonly generation: number;
  readonly text: string;
}

const ROW_HEADER_BYTES = 17;
const MIN_CAPACITY = 64 * 1024;

/** Collects rows into one growing buffer until it is taken as the raw bytes of a block. */
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

  /** A copy of the bytes; the buffer is empty afterwards. */
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

/** The rows of a block's raw bytes, or null when they do not add up (the checksum was right but the content is not ours). */
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
