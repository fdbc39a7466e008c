/**
 * A position by cost basis. A partial close releases cost × closed / size, rounded to 1e-18; realised + unrealised
 * equals the equity change.
 */
import { ZERO, type Decimal } from '../numbers/money.ts';
import type { Side } from './order.ts';

const COST_PLACES = 18;

export class Position {
  /** Signed, base. */
  quantity: Decimal = ZERO;
  /** Signed, quote; positive when long. */
  cost: Decimal = ZERO;
  /** Quote units, before fees. */
  realized: Decimal = ZERO;
  #average: Decimal | null = null;
  readonly #averaged = { quantity: ZERO, cost: ZERO };

  /** Returns realised profit, quote units. */
  apply(side: Side, price: Decimal, quantity: Decimal): Decimal {
    const signed = side === 'buy' ? quantity : quantity.neg();
    return this.#move(signed, price);
  }

  /** Base lost without a sale, such as a fee. */
  remove(quantity: Decimal, price: Decimal): void {
    this.#move(quantity.neg(), price);
  }

  get entryPrice(): Decimal | null {
    const { quantity, cost } = this;
    const averaged = this.#averaged;
    if (averaged.quantity === quantity && averaged.cost === cost) return this.#average;
    this.#average = quantity.isZero() ? null : cost.div(quantity);
    averaged.quantity = quantity;
    averaged.cost = cost;
    return this.#average;
  }

  unrealized(mark: Decimal): Decimal {
    return mark.times(this.quantity).minus(this.cost);
  }

  #move(signed: Decimal, price: Decimal): Decimal {
    const before = this.quantity;
    const opening = before.isZero() || before.isNegative() === signed.isNegative();
    if (opening) {
      this.quantity = before.plus(signed);
      this.cost = this.cost.plus(signed.times(price));
      return ZERO;
    }
    const size = before.abs();
    const wanted = signed.abs();
    const whole = wanted.gte(size);
    const closed = whole ? size : wanted;
    const released = whole ? this.cost : this.cost.times(closed).over(size, COST_PLACES, 'half-even').narrowed();
    const closedSigned = before.isNegative() ? closed.neg() : closed;
    const profit = closedSigned.times(price).minus(released);
    this.quantity = whole ? ZERO : before.minus(closedSigned);
    this.cost = whole ? ZERO : this.cost.minus(released);
    const realized = this.realized.plus(profit);
    // Long decimals have cancelled out.
    this.realized = whole ? realized.narrowed() : realized;
    const rest = signed.plus(closedSigned);
    if (!rest.isZero()) {
      this.quantity = rest;
      this.cost = rest.times(price);
    }
    return profit;
  }
}
