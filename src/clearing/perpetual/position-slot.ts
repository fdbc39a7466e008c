/**
 * One perpetual in one account: its terms, and a slot for the position and the orders of each position side. A slot only
 * counts; `settlement.ts` moves money.
 */
import type { VenuePosition } from '../../model/trading/account.ts';
import { greater, sum, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide, Side } from '../../model/trading/order.ts';
import { Position } from '../../model/trading/position.ts';
import { exposureOf, type Exposure } from '../margin/exposure.ts';
import { initialMargin, type OrderExposure } from '../margin/initial-margin.ts';
import { onlyCloses } from '../position-mode.ts';
import type { MarginBook, PerpetualMarket } from './margin-book.ts';
import { SlotOrders } from './slot-orders.ts';

export type MarginType = VenuePosition['marginType'];

export interface HoldingTerms {
  readonly leverage: number;
  readonly marginType: MarginType;
}

/** The market is shared by all accounts. */
export class Holding<Order extends object> {
  readonly market: PerpetualMarket;
  readonly book: MarginBook<PositionSlot<Order>>;
  readonly slots: PositionSlot<Order>[] = [];
  #terms: HoldingTerms;

  constructor(market: PerpetualMarket, book: MarginBook<PositionSlot<Order>>, terms: HoldingTerms) {
    this.market = market;
    this.book = book;
    this.#terms = terms;
  }

  get terms(): HoldingTerms {
    return this.#terms;
  }

  get isIsolated(): boolean {
    return this.#terms.marginType === 'isolated';
  }

  /** What is held changes with the next `rehold` of the book. */
  setTerms(terms: HoldingTerms): void {
    this.#terms = terms;
    for (const slot of this.slots) slot.moved();
  }

  slot(side: PositionSide): PositionSlot<Order> {
    for (const slot of this.slots) if (slot.side === side) return slot;
    const slot = new PositionSlot(this, side);
    this.slots.push(slot);
    this.book.join(slot);
    return slot;
  }
}

export class PositionSlot<Order extends object> {
  readonly holding: Holding<Order>;
  readonly market: PerpetualMarket;
  readonly book: MarginBook<PositionSlot<Order>>;
  readonly side: PositionSide;
  readonly orders: SlotOrders<Order>;
  readonly position = new Position();
  /** Unix ms. */
  updatedAt = 0;
  /** Own margin of an isolated position: what it received at opening, less paid funding. */
  owned: Decimal = ZERO;
  #exposure: Exposure = { quantity: ZERO, cost: ZERO };
  #initial: Decimal = ZERO;
  #need: Decimal = ZERO;
  /** Base units and cost as doubles, for the quick check at every mark. */
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

  /** Own margin if isolated, else cost / leverage. */
  get margin(): Decimal {
    return this.holding.isIsolated ? this.owned : this.#initial;
  }

  get marginNumber(): number {
    const { margin } = this;
    if (margin !== this.#numbered) this.#marginNumber = margin.toNumber();
    this.#numbered = margin;
    return this.#marginNumber;
  }

  /** To be held for position and orders, beside what it owns. */
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

  closable(side: Side): Decimal {
    const { quantity } = this.position;
    return (side === 'sell' ? quantity.gt(0) : quantity.lt(ZERO)) ? quantity.abs() : ZERO;
  }

  onlyCloses(side: Side, reduceOnly: boolean | undefined): boolean {
    return onlyCloses(this.side, side, reduceOnly);
  }

  /** Position value if all orders of the worse side, and `more`, were filled. */
  valueAfter(more?: OrderExposure): Decimal {
    const { quantity, cost } = this.#exposure;
    const held = cost.abs();
    const after = (side: Side): Decimal => {
      const opens = this.orders.opening(side, quantity, more);
      return opens.isZero() || this.closable(side).gt(0) ? opens : opens.plus(held);
    };
    return greater(held, greater(after('buy'), after('sell')));
  }

  /** Upper bound of `valueAfter`, except for rounding. */
  get mostAfter(): number {
    return Math.abs(this.costNumber) + this.orders.valueNumber;
  }

  /** Returns the profit, settlement currency. */
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

  moved(): void {
    this.#exposure = exposureOf(this.position, this.market.instrument.contractSize);
    const { quantity, cost } = this.#exposure;
    this.#initial = initialMargin(cost, this.holding.terms.leverage);
    this.quantityNumber = quantity.toNumber();
    this.costNumber = cost.toNumber();
    this.renew();
  }

  renew(need = this.needNow()): void {
    const before = this.#need;
    this.#need = need;
    this.book.renew(this, before);
  }
}
