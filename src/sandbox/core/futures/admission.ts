/**
 * What an order asks of the account when it comes in: the price its margin is reckoned at, and what is needed beside the
 * margin. Pure reads of the book.
 */
import { Decimal, ZERO } from '../../../model/money.ts';
import { openingLoss } from '../../../simulation/margin/initial-margin.ts';
import type { OrderRecord } from '../order-record.ts';
import { walkCost } from '../spot-settlement.ts';
import type { PositionSlot } from './position-slot.ts';

const AVERAGE_PLACES = 18;

export interface Admission {
  /** The limit, or the average price that a market order would get now; zero when nothing would trade. */
  readonly price: Decimal;
  /** Taker fee of the whole order and its loss against the mark: needed, not held. */
  readonly besides: Decimal;
}

export function admissionOf(
  record: OrderRecord,
  slot: PositionSlot,
  limitTicks: number,
  takerFeeRate: Decimal,
): Admission {
  const { instrument } = record.market;
  const { side, ticks, lots } = record.order;
  const walk = walkCost(record, limitTicks);
  const walked = instrument.exactQuantity(walk.lots);
  // Rounded, so that sums of what orders would open come back to zero when they go.
  const average = walk.lots === 0 ? ZERO : walk.cost.div(walked).toDecimalPlaces(AVERAGE_PLACES, Decimal.ROUND_UP);
  const price = ticks === null ? average : instrument.exactPrice(ticks);
  const rest = ticks === null ? ZERO : instrument.exactQuantity(lots - walk.lots);
  const { mark } = slot.data;
  const losses = [
    { side, price: average, quantity: walked },
    { side, price, quantity: rest },
  ].map((part) => (mark === null ? ZERO : openingLoss(part, mark)));
  const fee = walk.cost.plus(rest.times(price)).times(Decimal.max(ZERO, takerFeeRate));
  return { price, besides: Decimal.sum(fee, ...losses).times(slot.unit) };
}
