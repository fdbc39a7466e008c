/** What stood in the book at a sequence of moments, from a recording: the heat behind the prices. */
import type { OrderBook } from '../../model/book.ts';
import { ASK, BID } from '../../model/market-event.ts';
import type { HeatColumn } from '../schemas/market.ts';
import { walkMarket } from './market-walk.ts';

export interface HeatWish {
  readonly symbol: string;
  readonly stepMs: number;
  /** Newest columns. */
  readonly limit: number;
  /** Levels a side. */
  readonly depth: number;
}

interface Column {
  readonly ts: number;
  readonly levels: (readonly [ticks: number, lots: number])[];
}

/** Oldest first; a column is the book as it was first seen in its step. Empty without a recording of the symbol. */
export async function recordedHeat(dir: string, { symbol, stepMs, limit, depth }: HeatWish): Promise<HeatColumn[]> {
  const columns: Column[] = [];
  const instrument = await walkMarket(dir, symbol, Number.POSITIVE_INFINITY, (book, receivedMs) => {
    const ts = Math.floor(receivedMs / stepMs) * stepMs;
    if (columns.at(-1)?.ts === ts) return;
    columns.push({ ts, levels: levelsOf(book, depth) });
    if (columns.length > limit) columns.shift();
  });
  if (instrument === null) return [];
  return columns.map(({ ts, levels }) => ({
    ts,
    prices: levels.map(([ticks]) => instrument.priceOf(ticks)),
    quantities: levels.map(([, lots]) => Number(instrument.quantityText(lots))),
  }));
}

/** Prices ascend. */
function levelsOf(book: OrderBook, depth: number): Column['levels'] {
  const sides = ([BID, ASK] as const).map((side) => {
    const found: Column['levels'] = [];
    book.walk(side, (ticks, lots) => {
      found.push([ticks, lots]);
      return found.length < depth;
    });
    return found;
  });
  return [...(sides[0]?.toReversed() ?? []), ...(sides[1] ?? [])];
}
