/**
 * The interface does not say whether `side` of own trades is the order's or the taker's. In this program a fill has the
 * side of its own order.
 */
import type { VenueFill } from '../model/trading/fill.ts';
import type { Reading } from '../model/result.ts';

export const ownTradeSides = ['own', 'taker'] as const;
export type OwnTradeSide = (typeof ownTradeSides)[number];

export type FillReader = (fill: VenueFill) => VenueFill;

/** Equal for taker fills. */
export function fillReader(meaning: OwnTradeSide): FillReader {
  if (meaning === 'own') return (fill) => fill;
  return (fill) =>
    fill.liquidity === 'taker' ? fill : Object.freeze({ ...fill, side: fill.side === 'buy' ? 'sell' : 'buy' });
}

export function readingFills<Filter, Operations extends { ownTrades(filter: Filter): Promise<Reading<VenueFill>> }>(
  operations: Operations,
  read: FillReader,
): Operations {
  const ownTrades = async (filter: Filter): Promise<Reading<VenueFill>> => {
    const reading = await operations.ownTrades(filter);
    return reading.kind === 'failed' ? reading : { ...reading, items: reading.items.map(read) };
  };
  return Object.freeze({ ...operations, ownTrades });
}
