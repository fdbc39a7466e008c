/**
 * Money of fills and funding, in the settlement currency. Profit arrives before margin is held and losses are taken
 * after, so freed margin pays for them. The insurance pays what exceeds the account.
 */
import { type Decimal, smaller, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import { fundingPayment } from '../margin/exposure.ts';
import { initialMargin } from '../margin/initial-margin.ts';
import type { HouseAccount } from '../pocket.ts';
import type { PositionSlot } from './position-slot.ts';

const RELEASED_PLACES = 18;

export interface PerpetualFill {
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly feeRate: Decimal;
  readonly feeTo: HouseAccount;
}

export interface SettledFill {
  readonly fee: Decimal;
  /** Before the fee; zero for an opening fill. */
  readonly profit: Decimal;
}

/** Settles one side of a fill: closes first, opens with the rest. The caller updates the order. */
export function settleFill<Order extends object>(
  slot: PositionSlot<Order>,
  { side, price, quantity, feeRate, feeTo }: PerpetualFill,
  now: number,
): SettledFill {
  const { book } = slot;
  const { contractSize } = slot.market.instrument;
  const closes = smaller(slot.closable(side), quantity);
  if (slot.holding.isIsolated && !closes.isZero()) book.takeBack(slot, releasedBy(slot, closes));
  const profit = slot.apply(side, price, quantity, now);
  if (profit.gt(ZERO)) book.receive(profit, 'market');
  book.rehold();
  const opens = quantity.minus(closes);
  if (slot.holding.isIsolated && !opens.isZero()) {
    book.endow(slot, initialMargin(price.times(opens).times(contractSize), slot.holding.terms.leverage));
  }
  if (profit.isNegative()) book.charge(slot, profit.neg(), 'market');
  const fee = price.times(quantity).times(contractSize).times(feeRate);
  if (fee.isNegative()) book.receive(fee.neg(), feeTo);
  else book.charge(slot, fee, feeTo);
  if (!slot.isOpen) book.narrow();
  return { fee, profit };
}

/** Isolated margin released by a close: proportional, rounded down. */
function releasedBy<Order extends object>({ owned, quantity }: PositionSlot<Order>, closes: Decimal): Decimal {
  const size = quantity.abs();
  if (closes.eq(size)) return owned;
  return owned.times(closes).div(size).toDecimalPlaces(RELEASED_PLACES, 'down');
}

/**
 * Returns the amount received: −rate · mark · quantity, negative when paid. An isolated position pays from, and
 * receives into, its own margin first.
 */
export function payFunding<Order extends object>(
  slot: PositionSlot<Order>,
  rate: Decimal,
  mark: Decimal,
  now: number,
): Decimal {
  const { book, exposure } = slot;
  const amount = fundingPayment(exposure, rate, mark);
  if (amount.isZero()) return ZERO;
  slot.updatedAt = now;
  if (amount.isNegative()) book.charge(slot, book.chargeOwned(slot, amount.neg(), 'market'), 'market');
  else {
    book.receive(amount, 'market');
    if (slot.holding.isIsolated) book.endow(slot, amount);
  }
  book.rehold();
  return amount;
}
