/**
 * The active orders of a position slot and what they would open, per side. Sums are kept as orders come, trade and go, so
 * that an account with many resting orders costs no more than one with few, unless a position stands in their way.
 */
import { ZERO, type Decimal } from '../../../model/money.ts';
import type { Side } from '../../../model/order.ts';
import { openingValue, type OrderExposure } from '../../../clearing/margin/initial-margin.ts';
import type { OrderRecord } from '../order-record.ts';

export class SlotOrders {
  readonly #unit: Decimal;
  /** Every active order; null for one that opens nothing. */
  readonly #exposures = new Map<OrderRecord, OrderExposure | null>();
  readonly #values: Record<Side, Decimal> = { buy: ZERO, sell: ZERO };

  /** `unit`: value of one quantity × price unit. */
  constructor(unit: Decimal) {
    this.#unit = unit;
  }

  get size(): number {
    return this.#exposures.size;
  }

  records(): IterableIterator<OrderRecord> {
    return this.#exposures.keys();
  }

  /** `price`: at which its margin is reckoned; null for an order that can only close. */
  add(record: OrderRecord, price: Decimal | null): void {
    this.#put(record, price === null ? null : this.#exposureOf(record, price));
  }

  /** An order traded. */
  update(record: OrderRecord): void {
    const exposure = this.#exposures.get(record);
    if (exposure) this.#put(record, this.#exposureOf(record, exposure.price));
  }

  remove(record: OrderRecord): void {
    this.#put(record, null);
    this.#exposures.delete(record);
  }

  /** Value that the orders of a side would open beyond `position`, signed base units, and one more order with them. */
  opening(side: Side, position: Decimal, more?: OrderExposure): Decimal {
    const closes = side === 'sell' ? position.gt(0) : position.lt(0);
    const extra = more?.side === side ? more : undefined;
    if (!closes) return extra === undefined ? this.#values[side] : this.#values[side].plus(valueOf(extra));
    const orders = [...this.#exposures.values()].filter((exposure) => exposure !== null);
    return openingValue(side, position, extra === undefined ? orders : [...orders, extra]);
  }

  #put(record: OrderRecord, exposure: OrderExposure | null): void {
    const { side } = record.order;
    const before = this.#exposures.get(record);
    if (before) this.#values[side] = this.#values[side].minus(valueOf(before));
    if (exposure !== null) this.#values[side] = this.#values[side].plus(valueOf(exposure));
    this.#exposures.set(record, exposure);
  }

  #exposureOf(record: OrderRecord, price: Decimal): OrderExposure {
    const quantity = record.market.instrument.exactQuantity(record.leftLots).times(this.#unit);
    return { side: record.order.side, price, quantity };
  }
}

function valueOf({ price, quantity }: OrderExposure): Decimal {
  return price.times(quantity);
}
