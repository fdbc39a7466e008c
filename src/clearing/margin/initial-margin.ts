/**
 * Initial margin: cost / leverage of the position, plus the opening value of its orders / leverage. In one-way mode
 * only the greater of buys and sells is held, since both cannot open. Quotients round up to 1e-18.
 */
import { type Decimal, smaller, sum, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';

const MARGIN_PLACES = 18;

/** The open part of an order. The caller leaves out reduce-only orders. */
export interface OrderExposure {
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export function initialMargin(value: Decimal, leverage: number): Decimal {
  const size = value.isNegative() ? value.neg() : value;
  if (leverage === 1 && (size.scale <= MARGIN_PLACES || size.decimalPlaces() <= MARGIN_PLACES)) return size;
  return size.div(leverage).toDecimalPlaces(MARGIN_PLACES, 'up');
}

/**
 * Value that orders of one side would open after closing `position` (signed base units). Best prices close first.
 * Example: long 1; sells 0.6 at 101 and 0.9 at 102 → 0.5 · 102 = 51.
 */
export function openingValue(side: Side, position: Decimal, orders: readonly OrderExposure[]): Decimal {
  const own = orders.filter((order) => order.side === side);
  if (own.length === 0) return ZERO;
  let closable = position.isNegative() === (side === 'buy') ? position.abs() : ZERO;
  if (closable.isZero()) return own.reduce((value, { price, quantity }) => sum(value, quantity.times(price)), ZERO);
  if (own.length > 1) own.sort((a, b) => (side === 'buy' ? b.price.cmp(a.price) : a.price.cmp(b.price)));
  let value = ZERO;
  for (const { price, quantity } of own) {
    const closes = smaller(closable, quantity);
    closable = closable.minus(closes);
    const opens = quantity.minus(closes);
    if (!opens.isZero()) value = sum(value, opens.times(price));
  }
  return value;
}

/** Immediate loss against the mark. Checked at admission, not held. */
export function openingLoss({ side, price, quantity }: OrderExposure, mark: Decimal): Decimal {
  const loss = side === 'buy' ? price.minus(mark) : mark.minus(price);
  return loss.gt(0) ? loss.times(quantity) : ZERO;
}
