/**
 * What an order asks of the account when it comes in: the prices its margin is reckoned at, and what is needed beside the
 * margin. Pure reads of the book.
 */
import { type Decimal, ZERO, greater } from '../../../model/money.ts';
import { openingLoss } from '../../../clearing/margin/initial-margin.ts';
import type { OrderRecord } from '../order-record.ts';
import { walkCost } from '../spot-settlement.ts';
import type { PositionSlot } from './position-slot.ts';

const AVERAGE_PLACES = 18;

type Incoming = Pick<OrderRecord, 'market' | 'order'>;

export interface Admission {
  /** While it stands: the limit, or the average price that a market order would get now; zero when nothing would trade. */
  readonly price: Decimal;
  /** As it comes in. Above `price` for a sell whose limit is below the bids: it opens at what they pay. */
  readonly opening: Decimal;
  /** Taker fee of the whole order and its loss against the mark: needed, not held. */
  readonly besides: Decimal;
}

interface Prices extends Pick<Admission, 'price' | 'opening'> {
  /** What would trade at once, and at what price on average. */
  readonly walked: Decimal;
  readonly average: Decimal;
  readonly cost: Decimal;
  /** What a limit order would leave in the book. */
  readonly rest: Decimal;
}

function pricesOf(incoming: Incoming, limitTicks: number): Prices {
  const { instrument } = incoming.market;
  const { side, ticks, lots } = incoming.order;
  const walk = walkCost(incoming, limitTicks);
  const walked = instrument.exactQuantity(walk.lots);
  const average = averageOf(walk.cost, walked);
  const shared = { walked, average, cost: walk.cost };
  if (ticks === null) return { ...shared, price: average, opening: average, rest: ZERO };
  const price = instrument.exactPrice(ticks);
  const rest = instrument.exactQuantity(lots - walk.lots);
  const whole = side === 'buy' ? price : averageOf(walk.cost.plus(rest.times(price)), walked.plus(rest));
  return { ...shared, price, opening: whole, rest };
}

/** Rounded, so that sums of what orders would open come back to zero when they go. */
function averageOf(cost: Decimal, quantity: Decimal): Decimal {
  return quantity.isZero() ? ZERO : cost.div(quantity).toDecimalPlaces(AVERAGE_PLACES, 'up');
}

/** The price that an order would open at as a whole; zero for a market order that would not trade. */
export function openingPrice(incoming: Incoming, limitTicks: number): Decimal {
  return pricesOf(incoming, limitTicks).opening;
}

export function admissionOf(
  record: OrderRecord,
  slot: PositionSlot,
  limitTicks: number,
  takerFeeRate: Decimal,
): Admission {
  const { side } = record.order;
  const { price, opening, walked, average, cost, rest } = pricesOf(record, limitTicks);
  const { mark } = slot.data;
  const losses = [
    { side, price: average, quantity: walked },
    { side, price, quantity: rest },
  ].map((part) => (mark === null ? ZERO : openingLoss(part, mark)));
  const fee = cost.plus(rest.times(price)).times(greater(ZERO, takerFeeRate));
  return { price, opening, besides: losses.reduce((all, loss) => all.plus(loss), fee).times(slot.unit) };
}
