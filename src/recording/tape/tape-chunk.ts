/**
 * A chunk in memory: up to 32,768 events as columns, in recorded order.
 *
 *   exchangeUs f64 │ receiveUs f64 │ values f64 (3 to 8 an event, from valueAt) │ ticks f64, lots f64 (level rows)
 *   valueAt u32 │ levelAt u32 (rows + 1) │ symbol u16 │ kind u8 │ flags u8 │ sides u8 (level rows) │ strings JSON
 *
 * Address and recorded sequence: chunk × 32,768 + row.
 */
import type { MarketEventKind } from '../../model/market/market-event.ts';

export const CHUNK_ROW_BITS = 15;
export const CHUNK_ROWS = 32_768;
/** Ends a chunk early. */
export const CHUNK_LEVELS = 262_144;

export const KINDS: readonly MarketEventKind[] = [
  'depth',
  'trade',
  'quote',
  'candle',
  'ticker',
  'mark',
  'funding',
  'gap',
];
export const KIND_DEPTH = 0;
export const KIND_TRADE = 1;
export const KIND_QUOTE = 2;
export const KIND_CANDLE = 3;
export const KIND_TICKER = 4;
export const KIND_MARK = 5;
export const KIND_FUNDING = 6;
export const KIND_GAP = 7;
/** Number of `values` by kind. */
export const VALUES_OF_KINDS: readonly number[] = [3, 3, 5, 7, 8, 2, 2, 2];

/** By kind: snapshot, taker buys, closed, open. */
export const FLAG_YES = 1;
/** Integer id in `values`; else an index into `strings`. */
export const FLAG_NUMBER_ID = 2;
/** The frame had no exchange time. */
export const FLAG_NO_EXCHANGE_TIME = 4;

export interface ChunkSize {
  readonly rows: number;
  readonly values: number;
  readonly levels: number;
  /** Bytes of JSON. */
  readonly strings: number;
}

export interface TapeChunk {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly exchangeUs: Float64Array;
  readonly receiveUs: Float64Array;
  readonly values: Float64Array;
  readonly ticks: Float64Array;
  readonly lots: Float64Array;
  readonly valueAt: Uint32Array;
  readonly levelAt: Uint32Array;
  readonly symbols: Uint16Array;
  readonly kinds: Uint8Array;
  readonly flags: Uint8Array;
  readonly sides: Uint8Array;
  readonly strings: readonly string[];
}

export function chunkBytes(size: ChunkSize): number {
  const { rows, values, levels, strings } = size;
  const bytes = 8 * (2 * rows + values + 2 * levels) + 4 * (rows + rows + 1) + 2 * rows + 2 * rows + levels + strings;
  return Math.ceil(bytes / 8) * 8;
}

/** From `from`, a multiple of 8. `decode`: read `strings`. */
export function viewChunk(buffer: ArrayBufferLike, size: ChunkSize, decode: boolean, from = 0): TapeChunk {
  const { rows, values, levels, strings } = size;
  let at = from;
  const f64 = (length: number): Float64Array => {
    const column = new Float64Array(buffer, at, length);
    at += 8 * length;
    return column;
  };
  const u32 = (length: number): Uint32Array => {
    const column = new Uint32Array(buffer, at, length);
    at += 4 * length;
    return column;
  };
  const u8 = (length: number): Uint8Array => {
    const column = new Uint8Array(buffer, at, length);
    at += length;
    return column;
  };
  const exchangeUs = f64(rows);
  const receiveUs = f64(rows);
  const valueColumn = f64(values);
  const ticks = f64(levels);
  const lots = f64(levels);
  const valueAt = u32(rows);
  const levelAt = u32(rows + 1);
  const symbols = new Uint16Array(buffer, at, rows);
  at += 2 * rows;
  const kinds = u8(rows);
  const flags = u8(rows);
  const sides = u8(levels);
  const text = decode && strings > 0 ? Buffer.from(buffer, at, strings).toString('utf8') : '[]';
  return {
    bytes: new Uint8Array(buffer, from, chunkBytes(size)),
    rows,
    exchangeUs,
    receiveUs,
    values: valueColumn,
    ticks,
    lots,
    valueAt,
    levelAt,
    symbols,
    kinds,
    flags,
    sides,
    strings: JSON.parse(text) as string[],
  };
}
