/**
 * Price-time priority matching on ticks and lots. The caller locks, settles and bounds the orders. Self-trades happen.
 */
import { ASK, BID, type BookSide } from '../../../model/market/market-event.ts';
import { PriceLevels, RestingOrder } from './price-levels.ts';

export { RestingOrder } from './price-levels.ts';

/** Called after the maker was reduced; may only remove other orders of the book. */
export type OnFill<Owner> = (maker: RestingOrder<Owner>, lots: number) => void;

export class OrderBook<Owner> {
  readonly #bids = new PriceLevels<Owner>(BID);
  readonly #asks = new PriceLevels<Owner>(ASK);

  /** 0 when empty. */
  get bidTicks(): number {
    return this.#bids.best?.ticks ?? 0;
  }

  get askTicks(): number {
    return this.#asks.best?.ticks ?? 0;
  }

  /** `limitTicks` is inclusive. Returns the remaining lots. */
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

  /** Call after `match`. */
  rest(owner: Owner, side: BookSide, ticks: number, lots: number): RestingOrder<Owner> {
    const order = new RestingOrder(owner, side, ticks, lots);
    (side === BID ? this.#bids : this.#asks).append(order);
    return order;
  }

  /** False when it was not in the book. */
  remove(order: RestingOrder<Owner>): boolean {
    if (order.level === null) return false;
    (order.side === BID ? this.#bids : this.#asks).remove(order, order.level);
    return true;
  }

  /** Best first, until `visit` returns false. */
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

  /** Prices changed since the last drain, with absolute quantity; 0: gone. */
  drain(visit: (side: BookSide, ticks: number, lots: number) => void): void {
    this.#bids.drain((ticks, lots) => visit(BID, ticks, lots));
    this.#asks.drain((ticks, lots) => visit(ASK, ticks, lots));
  }
}
