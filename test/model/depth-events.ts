/** Short ways to make depth events for tests of the book. */
import { Instrument } from '../../src/model/market/instrument.ts';
import type { BookSide, DepthEvent } from '../../src/model/market/market-event.ts';
import type { OrderBook } from '../../src/model/book/book.ts';

export const btcusdt = new Instrument({
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
});

/** [side, ticks, lots] */
export type Row = readonly [BookSide, number, number];

export interface DepthIds {
  readonly firstId?: number;
  readonly lastId: number;
  readonly previousId?: number;
  readonly exchangeUs?: number;
}

function depth(snapshot: boolean, ids: DepthIds, rows: readonly Row[]): DepthEvent {
  const exchangeUs = ids.exchangeUs ?? ids.lastId;
  return {
    kind: 'depth',
    instrument: btcusdt,
    exchangeUs,
    receiveUs: exchangeUs,
    snapshot,
    firstId: ids.firstId ?? ids.lastId,
    lastId: ids.lastId,
    previousId: ids.previousId ?? 0,
    levels: {
      sides: Uint8Array.from(rows, ([side]) => side),
      ticks: Float64Array.from(rows, ([, ticks]) => ticks),
      lots: Float64Array.from(rows, ([, , lots]) => lots),
      from: 0,
      to: rows.length,
    },
  };
}

export const snapshot = (ids: DepthIds, rows: readonly Row[]): DepthEvent => depth(true, ids, rows);
export const update = (ids: DepthIds, rows: readonly Row[]): DepthEvent => depth(false, ids, rows);

/** The whole book as `side:ticks` → lots. */
export function contents(book: OrderBook): Record<string, number> {
  const levels: Record<string, number> = {};
  for (const side of [0, 1] as const) {
    book.walk(side, (ticks, lots) => {
      levels[`${side}:${ticks}`] = lots;
      return true;
    });
  }
  return levels;
}
