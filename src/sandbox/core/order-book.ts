/**
 * Price-time priority matching on integer ticks and lots. Knows nothing of money, users or time: the caller locks and
 * settles, and gets one call per fill. Orders of one user may trade with each other (documented choice: cancelling the
 * resting one first is the client's job).
 *
 * Bounds: the number of resting orders is bounded by the caller (`own-orders.ts`). One object per instrument.
 */
import { ASK, BID, type BookSide } from '../../model/market-event.ts';
import { PriceLevels, RestingOrder } from './price-levels.ts';

export { RestingOrder } from './price-levels.ts';

/** Told after the maker was reduced; may remove other orders of the book, and nothing else. */
export type OnFill<Owner> = (maker: RestingOrder<Owner>, lots: number) => void;

export class OrderBook<Owner> {
  readonly #bids = new PriceLevels<Owner>(BID);
  readonly #asks = new PriceLevels<Owner>(ASK);

  /** Best prices; 0 when the side is empty. */
  get bidTicks(): number {
    return this.#bids.best?.ticks ?? 0;
  }

  get askTicks(): number {
    return this.#asks.best?.ticks ?? 0;
  }

  /**
   * Trades an incoming order of `side` with the other side, best price first, oldest first, up to `limitTicks`
   * (inclusive). Answers the lots that are left.
   */
  match(side: BookSide, limitTicks: number, lots: number, onFill: OnFill<Owner>): number {
    const other = side === BID ? this.#asks : this.#bids;
    let left = lots;
    while (left > 0) {
      const level = other.best;
      if (level === undefined) break;
      if (side === BID ? level.ticks > limitTicks : level.ticks < limitTicks) break;
      const maker = level.first!;
      const traded = maker.lots < left ? maker.lots : left;
      other.reduce(maker, level, traded);
      left -= traded;
      onFill(maker, traded);
    }
    return left;
  }

  /** Puts an order at the end of the queue of its price. The caller has matched it before. */
  rest(owner: Owner, side: BookSide, ticks: number, lots: number): RestingOrder<Owner> {
    const order = new RestingOrder(owner, side, ticks, lots);
    (side === BID ? this.#bids : this.#asks).append(order);
    return order;
  }

  /** Takes a resting order away; false when it is not in the book any more. */
  remove(order: RestingOrder<Owner>): boolean {
    if (order.level === null) return false;
    (order.side === BID ? this.#bids : this.#asks).remove(order, order.level);
    return true;
  }

  /** Levels of a side from the best outward until `visit` answers false. */
  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void {
    const { sorted } = side === BID ? this.#bids : this.#asks;
    for (let index = sorted.length - 1; index >= 0; index--) {
      const level = sorted[index]!;
      if (!visit(level.ticks, level.lots)) return;
    }
  }

  get hasChanges(): boolean {
    return this.#bids.hasChanges || this.#asks.hasChanges;
  }

  /** Every price whose quantity changed since the last drain, with its absolute quantity; 0 when it is gone. */
  drain(visit: (side: BookSide, ticks: number, lots: number) => void): void {
    this.#bids.drain((ticks, lots) => visit(BID, ticks, lots));
    this.#asks.drain((ticks, lots) => visit(ASK, ticks, lots));
  }
}
