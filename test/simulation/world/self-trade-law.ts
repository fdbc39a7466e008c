/**
 * Own orders do not trade with each other (self-trade prevention; called R6 here). Judged where the taker had a price, for
 * then the process knew everything that it takes to see it coming; a market order is decided by the book as it was last
 * told, and meets what has become the best price since.
 */
import type { VenueFill } from '../../../src/model/trading/fill.ts';

type Trade = Pick<VenueFill, 'orderId' | 'side' | 'price' | 'quantity' | 'liquidity' | 'ts'>;

export class SelfTradeLaw {
  readonly #hasPrice: (orderId: string) => boolean;
  #last: Trade | null = null;

  constructor(hasPrice: (orderId: string) => boolean) {
    this.#hasPrice = hasPrice;
  }

  /** Each trade of ours, as the exchange lists them. Answers what met, or null. */
  next(trade: Trade): string | null {
    const last = this.#last;
    this.#last = trade;
    if (last === null || !areOneTrade(last, trade) || !this.#hasPrice(last.orderId)) return null;
    return `${last.orderId} and ${trade.orderId}: our orders traded with each other`;
  }
}

/** The exchange lists what the taker traded, then what the maker did, under an id of its own. */
function areOneTrade(taker: Trade, maker: Trade): boolean {
  return (
    taker.liquidity === 'taker' &&
    maker.liquidity === 'maker' &&
    taker.side !== maker.side &&
    taker.ts === maker.ts &&
    taker.price === maker.price &&
    taker.quantity === maker.quantity
  );
}
