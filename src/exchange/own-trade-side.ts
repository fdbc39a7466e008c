/**
 * What `side` means in own trades: the documents do not say whether it is the own order's or the taker's, so it is set
 * (`exchange.ownTradeSide`). From here inwards a fill bears the side of its own order; `execution/fill-check.ts` compares it
 * with the order all the same. Pure. Used by `exchange.ts`.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Reading } from '../model/result.ts';

export const ownTradeSides = ['own', 'taker'] as const;
export type OwnTradeSide = (typeof ownTradeSides)[number];

export type FillReader = (fill: VenueFill) => VenueFill;

/** Of what the user took both are one. */
export function fillReader(meaning: OwnTradeSide): FillReader {
  if (meaning === 'own') return (fill) => fill;
  return (fill) =>
    fill.liquidity === 'taker' ? fill : Object.freeze({ ...fill, side: fill.side === 'buy' ? 'sell' : 'buy' });
}

/** The same operations, with their own trades read so. */
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
