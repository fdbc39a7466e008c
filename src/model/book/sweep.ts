/** What a market order would meet in a visible book. */
import { ASK, BID } from '../market/market-event.ts';
import type { Side } from '../trading/order.ts';
import type { OrderBook } from './book.ts';

export interface Sweep {
  /** With a fraction. */
  readonly meanTicks: number;
  readonly worstTicks: number;
  /** Of those that it takes. */
  readonly shownLots: number;
}

/** Lots that the book does not show count at its worst price. Undefined where the side is empty. */
export function sweep(book: Pick<OrderBook, 'walk'>, side: Side, lots: number): Sweep | undefined {
  let left = lots;
  let value = 0;
  let worstTicks = 0;
  book.walk(side === 'buy' ? ASK : BID, (ticks, there) => {
    const taken = Math.min(left, there);
    value += taken * ticks;
    left -= taken;
    worstTicks = ticks;
    return left > 0;
  });
  if (worstTicks === 0) return undefined;
  return { meanTicks: (value + left * worstTicks) / lots, worstTicks, shownLots: lots - left };
}
