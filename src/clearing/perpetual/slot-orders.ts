/**
 * The active orders of a position slot and the value they would open, per side. Sums are kept incrementally, so cost
 * does not grow with the number of orders unless a position offsets them.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { ONE, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import { openingValue, type OrderExposure } from '../margin/initial-margin.ts';

interface Standing extends OrderExposure {
  /** Price × quantity. */
  readonly value: Decimal;
}

export class SlotOrders<Order extends object> {
  readonly #instrument: Instrument;
  readonly #isUnit: boolean;
  readonly #standing = new Map<Order, Standing | null>();
  readonly #values: Record<Side, Decimal> = { buy: ZERO, sell: ZERO };

  constructor(instrument: Instrument) {
    this.#instrument = instrument;
    this.#isUnit = instrument.contractSize.eq(ONE);
  }

  get size(): number {
    return this.#standing.size;
  }

  /** Both sides, ignoring what they would close; for estimates. */
  get valueNumber(): number {
    return this.#values.buy.toNumber() + this.#values.sell.toNumber();
  }

  all(): IterableIterator<Order> {
    return this.#standing.keys();
  }

  /** `price`: for margin; null for an order that can only close. */
  put(order: Order, side: Side, price: Decimal | null, lots: number): void {
    this.#set(order, price === null ? null : this.exposure(side, price, lots));
  }

  /** `lots`: the rest after a trade. */
  update(order: Order, lots: number): void {
    const before = this.#standing.get(order);
    if (before) this.#set(order, this.exposure(before.side, before.price, lots));
  }

  /** Runs `ask` with the order at another price, then restores it. */
  at<T>(order: Order, price: Decimal, lots: number, ask: () => T): T {
    const before = this.#standing.get(order);
    if (!before) return ask();
    this.#set(order, this.exposure(before.side, price, lots));
    const answer = ask();
    this.#set(order, before);
    return answer;
  }

  remove(order: Order): void {
    const standing = this.#standing.get(order);
    if (standing) this.#values[standing.side] = this.#values[standing.side].minus(standing.value);
    this.#standing.delete(order);
  }

  /** Value opened beyond `position` (signed base units) by the orders of a side and `more`. */
  opening(side: Side, position: Decimal, more?: OrderExposure): Decimal {
    const extra = more?.side === side ? more : undefined;
    const value = this.#values[side];
    if (extra === undefined && value.isZero()) return ZERO;
    const closes = side === 'sell' ? position.gt(0) : position.lt(ZERO);
    if (!closes) return extra === undefined ? value : value.plus(extra.price.times(extra.quantity));
    const orders: OrderExposure[] = extra === undefined ? [] : [extra];
    for (const standing of this.#standing.values()) if (standing?.side === side) orders.push(standing);
    return openingValue(side, position, orders);
  }

  exposure(side: Side, price: Decimal, lots: number): Standing {
    const contracts = this.#instrument.exactQuantity(lots);
    const quantity = this.#isUnit ? contracts : contracts.times(this.#instrument.contractSize);
    return { side, price, quantity, value: price.times(quantity) };
  }

  #set(order: Order, standing: Standing | null): void {
    const before = this.#standing.get(order);
    if (before) this.#values[before.side] = this.#values[before.side].minus(before.value);
    if (standing !== null) this.#values[standing.side] = this.#values[standing.side].plus(standing.value);
    this.#standing.set(order, standing);
  }
}
