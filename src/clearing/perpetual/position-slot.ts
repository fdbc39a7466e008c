/**
 * The place of one position: account × symbol × position side, with the orders that belong to it. One-way has one side,
 * `both`; hedge has `long` and `short`. Figures that margin asks for often are kept after each change. This file only
 * counts; money is moved by `settlement.ts`.
 */
import { greater, sum, ZERO, type Decimal } from '../../model/money.ts';
import type { PositionSide, Side } from '../../model/order.ts';
import { Position } from '../../model/position.ts';
import { exposureOf, type Exposure } from '../margin/exposure.ts';
import { initialMargin, type OrderExposure } from '../margin/initial-margin.ts';
import { onlyCloses } from '../position-mode.ts';
import type { Holding, PerpetualMarket } from './holding.ts';
import type { MarginBook } from './margin-book.ts';
import { SlotOrders } from './slot-orders.ts';

export class PositionSlot<Order extends object> {
  readonly holding: Holding<Order>;
  readonly market: PerpetualMarket;
  readonly book: MarginBook<Order>;
  readonly side: PositionSide;
  readonly orders: SlotOrders<Order>;
  readonly position = new Position();
  /** Unix ms of the last change. */
  updatedAt = 0;
  /** Margin that an isolated position owns: what it got when it opened, less funding that it paid. */
  owned: Decimal = ZERO;
  #exposure: Exposure = { quantity: ZERO, cost: ZERO };
  #initial: Decimal = ZERO;
  #need: Decimal = ZERO;
  /** Base units and their cost as numbers, for the quick look at every mark. */
  quantityNumber = 0;
  costNumber = 0;
  #marginNumber = 0;
  #numbered: Decimal = ZERO;

  constructor(holding: Holding<Order>, side: PositionSide) {
    this.holding = holding;
    this.market = holding.market;
    this.book = holding.book;
    this.side = side;
    this.orders = new SlotOrders(holding.market.instrument);
  }

  get symbol(): string {
    return this.market.instrument.symbol;
  }

  get isOpen(): boolean {
    return this.quantityNumber !== 0;
  }

  /** Signed contracts. */
  get quantity(): Decimal {
    return this.position.quantity;
  }

  get exposure(): Exposure {
    return this.#exposure;
  }

  /** Margin that the position has: what an isolated one owns, else its cost / leverage. */
  get margin(): Decimal {
    return this.holding.isIsolated ? this.owned : this.#initial;
  }

  get marginNumber(): number {
    const { margin } = this;
    if (margin !== this.#numbered) this.#marginNumber = margin.toNumber();
    this.#numbered = margin;
    return this.#marginNumber;
  }

  /** What is to be held for the position and its orders, beside what it owns. */
  get need(): Decimal {
    return this.#need;
  }

  needNow(): Decimal {
    const { leverage } = this.holding.terms;
    const { quantity } = this.#exposure;
    const opens = greater(this.orders.opening('buy', quantity), this.orders.opening('sell', quantity));
    const ofOrders = opens.isZero() ? ZERO : initialMargin(opens, leverage);
    return this.holding.isIsolated ? ofOrders : sum(this.#initial, ofOrders);
  }

  /** How much of an order of `side` would close. */
  closable(side: Side): Decimal {
    const { quantity } = this.position;
    return (side === 'sell' ? quantity.gt(0) : quantity.lt(ZERO)) ? quantity.abs() : ZERO;
  }

  onlyCloses(side: Side, reduceOnly: boolean | undefined): boolean {
    return onlyCloses(this.side, side, reduceOnly);
  }

  /** Value that the position would have, were the orders of its worse side filled, and one more. */
  valueAfter(more?: OrderExposure): Decimal {
    const { quantity, cost } = this.#exposure;
    const held = cost.abs();
    const after = (side: Side): Decimal => {
      const opens = this.orders.opening(side, quantity, more);
      return opens.isZero() || this.closable(side).gt(0) ? opens : opens.plus(held);
    };
    return greater(held, greater(after('buy'), after('sell')));
  }

  /** More than that is out of reach, but for rounding: all orders of both sides filled. */
  get mostAfter(): number {
    return Math.abs(this.costNumber) + this.orders.valueNumber;
  }

  /** Applies a fill; answers the profit, settlement currency. */
  apply(side: Side, price: Decimal, quantity: Decimal, now: number): Decimal {
    const { position } = this;
    const before = position.quantity;
    const profit = position.apply(side, price, quantity).times(this.market.instrument.contractSize);
    const isNew = before.isZero() || position.quantity.times(before).lt(ZERO);
    if (isNew && this.book.rules.realized === 'round') position.realized = ZERO;
    this.updatedAt = now;
    this.moved();
    return profit;
  }

  /** The position or its terms have changed. */
  moved(): void {
    this.#exposure = exposureOf(this.position, this.market.instrument.contractSize);
    const { quantity, cost } = this.#exposure;
    this.#initial = initialMargin(cost, this.holding.terms.leverage);
    this.quantityNumber = quantity.toNumber();
    this.costNumber = cost.toNumber();
    this.renew();
  }

  /** What is to be held for it has changed. */
  renew(need = this.needNow()): void {
    const before = this.#need;
    this.#need = need;
    this.book.renew(this, before);
  }
}
