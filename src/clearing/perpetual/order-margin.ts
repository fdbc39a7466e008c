/**
 * Margin of an order at admission, while open and at its end. Orders of a slot are held as one sum. Size refusals are
 * checked here in a fixed order.
 */
import { type Decimal, greater, sum, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import { openingLoss } from '../margin/initial-margin.ts';
import { refusal, type ClearingRefusal } from '../refusal.ts';
import type { PositionSlot } from './position-slot.ts';

const AVERAGE_PLACES = 18;

/** Below this part of the limit no rounding matters. */
const FAR = 0.5;

/** Immediate execution: Σ price × quantity, and lots. */
export interface Walk {
  readonly cost: Decimal;
  readonly lots: number;
}

export interface IncomingOrder {
  readonly side: Side;
  readonly ticks: number | null;
  readonly lots: number;
  readonly reduceOnly: boolean | undefined;
  /** Zero for a limit order whose limit bounds its value. */
  readonly walk: Walk;
}

export interface OrderMargin {
  /** While open: the limit; zero for a market order. */
  readonly price: Decimal;
  /** At admission. A sell below the bids opens at the bid prices, above its limit. */
  readonly opening: Decimal;
  /** Taker fee of the whole order and its loss against the mark: required, not held. */
  readonly besides: Decimal;
}

export function orderMarginOf<Order extends object>(
  slot: PositionSlot<Order>,
  { side, ticks, lots, walk }: IncomingOrder,
  takerFeeRate: Decimal,
): OrderMargin {
  const { rules } = slot.book;
  const { instrument, mark } = slot.market;
  const price = ticks === null ? ZERO : instrument.exactPrice(ticks);
  const rest = ticks === null || lots === walk.lots ? ZERO : instrument.exactQuantity(lots - walk.lots);
  const value = sum(walk.cost, rest.times(price));
  let opening = price;
  if (ticks === null) {
    const counted = rules.needsUnfillable ? walk.lots : lots;
    opening = averageOf(value, instrument.exactQuantity(counted));
  } else if (side === 'sell' && walk.lots > 0) opening = averageOf(value, instrument.exactQuantity(lots));
  let besides = takerFeeRate.gt(ZERO) ? value.times(takerFeeRate) : ZERO;
  if (rules.needsOpeningLoss && mark !== null) {
    if (walk.lots > 0) {
      const walked = instrument.exactQuantity(walk.lots);
      besides = sum(besides, openingLoss({ side, price: averageOf(walk.cost, walked), quantity: walked }, mark));
    }
    besides = sum(besides, openingLoss({ side, price, quantity: rest }, mark));
  }
  return { price, opening, besides: besides.times(instrument.contractSize) };
}

/** Rounded, so that sums return to exactly zero when orders end. */
function averageOf(cost: Decimal, quantity: Decimal): Decimal {
  return quantity.isZero() ? ZERO : cost.div(quantity).toDecimalPlaces(AVERAGE_PLACES, 'up');
}

/** Refuses a closing order greater than the position. */
export function refuseClosing<Order extends object>(
  slot: PositionSlot<Order>,
  side: Side,
  lots: number,
): ClearingRefusal | undefined {
  const closable = slot.closable(side);
  if (slot.market.instrument.exactQuantity(lots).lte(closable)) return undefined;
  const text = `the position allows to ${side} ${closable.toFixed()} only`;
  return refusal('reduce_only_violation', text, 'quantity');
}

/** Refuses an order that increases the possible position beyond what the tiers allow at the leverage. */
export function refuseLeverage<Order extends object>(
  slot: PositionSlot<Order>,
  { side, lots }: IncomingOrder,
  price: Decimal,
): ClearingRefusal | undefined {
  const { leverage } = slot.holding.terms;
  const allowed = slot.market.tiers.maxNotional(leverage);
  const { lot, contractValue } = slot.market.instrument;
  if (slot.mostAfter + price.toNumber() * lots * lot * contractValue < allowed.toNumber() * FAR) return undefined;
  const after = slot.valueAfter(slot.orders.exposure(side, price, lots));
  if (after.lte(allowed) || after.lte(slot.valueAfter())) return undefined;
  const text = `leverage ${leverage} allows a notional up to ${allowed.toFixed()}`;
  return refusal('leverage_too_high', `${text}, this order would make it ${after.toFixed()}`, 'quantity');
}

/** Holds what an order needs; false without change when the account is short. */
export function admitOrder<Order extends object>(
  slot: PositionSlot<Order>,
  order: Order,
  { side, lots, reduceOnly }: IncomingOrder,
  { price, opening, besides }: OrderMargin,
): boolean {
  const { book, orders } = slot;
  const closes = slot.onlyCloses(side, reduceOnly);
  orders.put(order, side, closes ? null : opening, lots);
  let need = slot.needNow();
  const extra = need.minus(slot.need);
  if (extra.gt(ZERO) && book.free().lt(extra.plus(besides))) {
    orders.remove(order);
    return false;
  }
  if (!closes && !opening.eq(price)) {
    orders.put(order, side, price, lots);
    need = slot.needNow();
  }
  slot.renew(need);
  book.rehold();
  return true;
}

/** Whether the account can pay for a fill of a waiting market order, for which nothing is held. */
export function coversFill<Order extends object>(
  slot: PositionSlot<Order>,
  order: Order,
  fill: { readonly price: Decimal; readonly quantity: Decimal; readonly leftLots: number },
  takerFeeRate: Decimal,
): boolean {
  const extra = slot.orders.at(order, fill.price, fill.leftLots, () => slot.needNow()).minus(slot.need);
  if (!extra.gt(ZERO)) return true;
  const fee = fill.price.times(fill.quantity).times(slot.market.instrument.contractSize).times(takerFeeRate);
  return slot.book.free().gte(extra.plus(greater(fee, ZERO)));
}

export function releaseOrder<Order extends object>(slot: PositionSlot<Order>, order: Order): void {
  slot.orders.remove(order);
  slot.renew();
  slot.book.rehold();
}
