/**
 * One side of a perpetual: the position and the orders that move it. One-way has one side, `both`; hedge has `long` and
 * `short`, where only one direction opens. The margin formulas are those of `margin/`, shared with the sandbox.
 */
import type { Instrument } from '../model/instrument.ts';
import { ONE, sum, ZERO, type Decimal } from '../model/money.ts';
import type { PositionSide, Side } from '../model/order.ts';
import { Position } from '../model/position.ts';
import { exposureOf, type Exposure } from '../clearing/margin/exposure.ts';
import {
  initialMargin,
  orderMargin,
  worseOpeningValue,
  type OrderExposure,
} from '../clearing/margin/initial-margin.ts';
import type { OrderRecord } from './order-record.ts';

export class PerpetualSide {
  readonly positionSide: PositionSide;
  readonly position = new Position();
  readonly orders = new Set<OrderRecord>();
  readonly #instrument: Instrument;
  readonly #size: Decimal;
  readonly #leverage: number;
  /** The contract size is 1, as nearly everywhere: a factor less. */
  readonly #isUnit: boolean;
  #exposure: Exposure = { quantity: ZERO, cost: ZERO };
  #margin = ZERO;
  /** Contracts × contract size and its cost as numbers, for the quick look at every mark. */
  quantityNumber = 0;
  costNumber = 0;

  constructor(positionSide: PositionSide, instrument: Instrument, leverage: number) {
    this.positionSide = positionSide;
    this.#instrument = instrument;
    this.#size = instrument.contractSize;
    this.#leverage = leverage;
    this.#isUnit = this.#size.eq(ONE);
  }

  get isOpen(): boolean {
    return !this.position.quantity.isZero();
  }

  get exposure(): Exposure {
    return this.#exposure;
  }

  /** Margin of the position alone: cost / leverage. */
  get margin(): Decimal {
    return this.#margin;
  }

  /** The position has changed. */
  moved(): void {
    this.#exposure = exposureOf(this.position, this.#size);
    const { quantity, cost } = this.#exposure;
    this.#margin = initialMargin(cost, this.#leverage);
    this.quantityNumber = quantity.toNumber();
    this.costNumber = cost.toNumber();
  }

  /** Margin of the position and its orders; one order may be valued at another price. */
  need(priced?: OrderRecord, price: Decimal = ZERO): Decimal {
    const { quantity } = this.exposure;
    return sum(this.margin, orderMargin(quantity, this.#opening(priced, price), this.#leverage));
  }

  /** What would be held at most if every order of the worse direction filled, settlement currency. */
  greatestValue(priced?: OrderRecord, price: Decimal = ZERO): Decimal {
    const { quantity, cost } = this.exposure;
    return sum(cost.abs(), worseOpeningValue(quantity, this.#opening(priced, price)));
  }

  /** In hedge mode one direction can only reduce. */
  closes(side: Side): boolean {
    return (this.positionSide === 'long' && side === 'sell') || (this.positionSide === 'short' && side === 'buy');
  }

  /** True when this much on this side only brings the position nearer to zero, other closing orders left aside. */
  reduces(side: Side, quantity: Decimal): boolean {
    const held = this.position.quantity;
    return (side === 'sell' ? held.gt(0) : held.lt(0)) && quantity.lte(held.abs());
  }

  #opening(priced: OrderRecord | undefined, price: Decimal): OrderExposure[] {
    const exposures: OrderExposure[] = [];
    for (const record of this.orders) {
      const { side, type, reduceOnly } = record.request;
      if (reduceOnly === true || this.closes(side)) continue;
      const lots = record.lots - record.filledLots;
      if (lots === 0) continue;
      const contracts = this.#instrument.exactQuantity(lots);
      const quantity = this.#isUnit ? contracts : contracts.times(this.#size);
      const limit = type === 'limit' ? this.#instrument.exactPrice(record.working.ticks) : ZERO;
      exposures.push({ side, price: record === priced ? price : limit, quantity });
    }
    return exposures;
  }
}
