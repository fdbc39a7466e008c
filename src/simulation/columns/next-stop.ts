/** Finds the next message that may do anything to own orders or money: the only ones that must be matched at their time. */
import {
  KIND_BUYS,
  KIND_DEPTH,
  KIND_NOTHING,
  KIND_OTHER,
  KIND_SELLS,
  type MarketColumns,
  type PassColumns,
} from './market-columns.ts';

/** Prices in ticks; sides without own orders are empty ranges. */
export interface Interest {
  bidLowest: number;
  /** `-Infinity` without own bids. */
  bidBest: number;
  /** `Infinity` without own asks. */
  askBest: number;
  askHighest: number;
  /** Half ticks: nothing is liquidated at mids from here ... */
  midFrom: number;
  /** ... to here. */
  midTo: number;
  /** Funding is due then, in the time of the columns. */
  untilUs: number;
}

/** First message from `from` that must be matched, or `to`. The first of all must; one too many does no harm. */
export function nextStop(
  columns: MarketColumns,
  { kinds, tops }: PassColumns,
  from: number,
  to: number,
  interest: Interest,
): number {
  const { us, tradeTicks, trade, levelTo, ticks } = columns;
  const { bidTicks, askTicks } = tops;
  const { bidLowest, bidBest, askBest, askHighest, midFrom, midTo, untilUs } = interest;
  const hasOwn = bidBest !== -Infinity || askBest !== Infinity;
  if (from === 0) return 0;
  let row = levelTo[from - 1]!;
  for (let at = from; at < to; at++) {
    const first = row;
    row = levelTo[at]!;
    const kind = kinds[at]!;
    if (kind === KIND_OTHER || us[at]! >= untilUs) return at;
    if (kind === KIND_NOTHING) continue;
    if (kind === KIND_BUYS || kind === KIND_SELLS) {
      const price = tradeTicks[trade[at]!]!;
      if (price <= bidBest || price >= askBest) return at;
      continue;
    }
    const bid = bidTicks[at]!;
    const ask = askTicks[at]!;
    if (bid + ask < midFrom || bid + ask > midTo) return at;
    if (!hasOwn) continue;
    if (ask <= bidBest || bid >= askBest) return at;
    if (kind !== KIND_DEPTH) {
      if (bid <= bidBest || ask >= askBest) return at;
      continue;
    }
    for (let level = first; level < row; level++) {
      const price = ticks[level]!;
      if (price <= bidBest ? price >= bidLowest : price >= askBest && price <= askHighest) return at;
    }
  }
  return to;
}
