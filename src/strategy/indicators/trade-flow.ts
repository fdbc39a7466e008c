/** Indicators of trades and the taker's side. Each names its source and what no flow gives. */
import { overWindow } from './composite.ts';
import { indicatorOf, type Indicator, type SidedTrade } from './indicator.ts';

/** A smaller rest of a bucket is rounding. */
const FULL = 1e-12;

/**
 * Easley, López de Prado and O'Hara (2012): Σ |bought − sold| ÷ (n × bucket) over the last `n` buckets of equal volume,
 * 0 to 1. Sides are the takers', so nothing is classified in bulk; a trade that overfills a bucket is split.
 */
export function vpin(bucket: number, n: number): Indicator<number, SidedTrade> {
  const mean = overWindow(n, (window) => {
    let sum = 0;
    for (const item of window) sum += item;
    return sum / (n * bucket);
  });
  let bought = 0;
  let sold = 0;
  return indicatorOf(({ quantity, side }: SidedTrade) => {
    let rest = quantity;
    // More than n whole buckets of one side are as n.
    const whole = Math.floor(rest / bucket) - n - 1;
    if (whole > 0) rest -= whole * bucket;
    while (rest > 0) {
      const room = bucket - bought - sold;
      const part = rest >= room - FULL * bucket ? room : rest;
      if (side === 'buy') bought += part;
      else sold += part;
      rest -= part;
      if (part < room) break;
      mean.next(Math.abs(bought - sold));
      bought = 0;
      sold = 0;
    }
    return mean.value;
  });
}

/**
 * Kyle (1985), as López de Prado (2018), chapter 19: price change per signed base quantity, least squares through zero over
 * the last `n` trades. Warm after n + 1. No volume: 0.
 */
export function kyleLambda(n: number): Indicator<number, SidedTrade> {
  const products = overWindow(n, total);
  const squares = overWindow(n, total);
  let before: number | undefined;
  return indicatorOf(({ price, quantity, side }: SidedTrade) => {
    const last = before;
    before = price;
    if (last === undefined) return undefined;
    const signed = side === 'buy' ? quantity : -quantity;
    const moved = products.next((price - last) * signed);
    const flow = squares.next(signed * signed);
    if (moved === undefined || flow === undefined) return undefined;
    return flow > 0 ? moved / flow : 0;
  });
}

function total(window: readonly number[]): number {
  let sum = 0;
  for (const item of window) sum += item;
  return sum;
}
