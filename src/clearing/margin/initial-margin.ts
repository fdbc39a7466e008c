/**
 * Initial margin: what must be set aside to open. A position holds its cost / leverage. Orders hold what the worse side of
 * them would open / leverage: buys and sells of one position cannot both open, so only the greater of the two is held.
 * In hedge mode each position side has its own orders and there is no worse side. Quotients are rounded up to 1e-18
 * (rule A4), in favour of the exchange. Pure; the same for isolated and cross: they differ in who may use the margin.
 */
import { type Decimal, smaller, sum, ZERO } from '../../model/money.ts';
import type { Side } from '../../model/order.ts';

const MARGIN_PLACES = 18;

/** The open part of an order. Reduce-only orders open nothing and are left out by the caller. */
export interface OrderExposure {
  readonly side: Side;
  /** Limit price, or the average price that a market order would trade at. */
  readonly price: Decimal;
  /** Base units (contracts × contract size), above zero. */
  readonly quantity: Decimal;
}

export function initialMargin(value: Decimal, leverage: number): Decimal {
  const size = value.isNegative() ? value.neg() : value;
  if (leverage === 1 && (size.scale <= MARGIN_PLACES || size.decimalPlaces() <= MARGIN_PLACES)) return size;
  return size.div(leverage).toDecimalPlaces(MARGIN_PLACES, 'up');
}

/**
 * Value that the orders of one side would open, after they have closed `position` (signed base units). The orders that
 * trade first close first: the highest bid, the lowest offer.
 * Example: long 1; sells 0.6 at 101 and 0.9 at 102 → the first closes 0.6, the second 0.4 and opens 0.5 · 102 = 51.
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

/**
 * What an order loses at once against the mark: a buy above it, a sell below it. Checked when an order is admitted (not
 * held), so that nobody can open a position that is under water.
 */
export function openingLoss({ side, price, quantity }: OrderExposure, mark: Decimal): Decimal {
  const loss = side === 'buy' ? price.minus(mark) : mark.minus(price);
  return loss.gt(0) ? loss.times(quantity) : ZERO;
}
