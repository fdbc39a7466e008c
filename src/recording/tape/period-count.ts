/** Counts and time range of a period of a tape. */
import { usOf } from '../../model/time.ts';
import {
  CHUNK_ROW_BITS,
  CHUNK_ROWS,
  KIND_CANDLE,
  KIND_DEPTH,
  KIND_QUOTE,
  KIND_TRADE,
  type TapeChunk,
} from './tape-chunk.ts';
import { type Period, WHOLE } from './cursors.ts';
import type { TapeFile } from './tape-file.ts';
import type { TapeCounts } from './tape-counts.ts';

export interface PeriodCount {
  readonly counts: TapeCounts;
  /** Records of any kind. */
  readonly events: number;
  /** ±Infinity when empty. */
  readonly fromUs: number;
  readonly toUs: number;
  /** Last repaired receive time; -Infinity when empty. */
  readonly receivedToUs: () => number;
}

export function countPeriod(file: TapeFile, period: Period): PeriodCount {
  const { footer } = file;
  if (period === WHOLE) {
    const events = footer.chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
    return {
      counts: footer.counts,
      events,
      fromUs: footer.fromUs ?? Infinity,
      toUs: footer.toUs ?? -Infinity,
      receivedToUs: () => lastReceived(file),
    };
  }
  const tally = {
    depth: 0,
    trades: 0,
    quotes: 0,
    candles: 0,
    events: 0,
    fromUs: Infinity,
    toUs: -Infinity,
    receivedToUs: -Infinity,
  };
  for (let index = 0; index < footer.chunks.length; index++) {
    addChunk(tally, file.hold(index), period);
    file.release(index);
  }
  const { depth, trades, quotes, candles, events, fromUs, toUs } = tally;
  const counts = { total: depth + trades + quotes + candles, depth, trades, quotes, candles };
  return { counts, events, fromUs, toUs, receivedToUs: () => tally.receivedToUs };
}

/** Infinity when empty. A candle counts from its open. */
export function beginOf(file: TapeFile): number {
  const { fromUs, counts, exchangeOrder } = file.footer;
  const entry = exchangeOrder.find(({ count }) => count > 0);
  if (fromUs === null || entry === undefined) return Infinity;
  if (counts.candles === 0) return fromUs;
  const address = file.order(entry)[0]!;
  const index = address >>> CHUNK_ROW_BITS;
  const chunk = file.hold(index);
  const row = address & (CHUNK_ROWS - 1);
  const openUs = chunk.kinds[row] === KIND_CANDLE ? usOf(chunk.values[chunk.valueAt[row]! + 1]!) : fromUs;
  file.release(index);
  return Math.min(openUs, fromUs);
}

/** First repaired receive time; Infinity when empty. */
export function firstReceived(file: TapeFile): number {
  const entry = file.footer.receiveOrder.find(({ count }) => count > 0);
  return entry === undefined ? Infinity : receivedAt(file, file.order(entry)[0]!);
}

/** Last repaired receive time; -Infinity when empty. */
export function lastReceived(file: TapeFile): number {
  const entry = file.footer.receiveOrder.findLast(({ count }) => count > 0);
  return entry === undefined ? -Infinity : receivedAt(file, file.order(entry).at(-1)!);
}

function receivedAt(file: TapeFile, address: number): number {
  const index = address >>> CHUNK_ROW_BITS;
  const { receiveUs } = file.hold(index);
  const us = receiveUs[address & (CHUNK_ROWS - 1)]!;
  file.release(index);
  return us;
}

interface Tally {
  depth: number;
  trades: number;
  quotes: number;
  candles: number;
  events: number;
  fromUs: number;
  toUs: number;
  receivedToUs: number;
}

function addChunk(tally: Tally, chunk: TapeChunk, period: Period): void {
  for (let row = 0; row < chunk.rows; row++) {
    const us = chunk.exchangeUs[row]!;
    if (us < period.fromUs || us >= period.toUs) continue;
    tally.events++;
    if (us < tally.fromUs) tally.fromUs = us;
    if (us > tally.toUs) tally.toUs = us;
    if (chunk.receiveUs[row]! > tally.receivedToUs) tally.receivedToUs = chunk.receiveUs[row]!;
    const kind = chunk.kinds[row]!;
    if (kind === KIND_DEPTH) tally.depth += chunk.levelAt[row + 1]! - chunk.levelAt[row]!;
    else if (kind === KIND_TRADE) tally.trades++;
    else if (kind === KIND_QUOTE) tally.quotes++;
    else if (kind === KIND_CANDLE) tally.candles++;
  }
}
