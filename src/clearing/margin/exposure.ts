/**
 * What a position stands for in money, and its profit at a price: the input of every margin formula. Made from
 * `model/position.ts` (cost basis, rule A4) with the contract size applied. Pure.
 */
import { ONE, ZERO, type Decimal } from '../../model/money.ts';

export interface Exposure {
  /** Signed base units: contracts × contract size; below zero when short. */
  readonly quantity: Decimal;
  /** Signed settlement currency: what `quantity` was bought for; below zero when short. */
  readonly cost: Decimal;
}

export function exposureOf(
  position: { readonly quantity: Decimal; readonly cost: Decimal },
  contractSize: Decimal,
): Exposure {
  const { quantity, cost } = position;
  if (contractSize.eq(ONE)) return { quantity, cost };
  return { quantity: quantity.times(contractSize), cost: cost.times(contractSize) };
}

/** Value at a price, never below zero. */
export function notionalOf({ quantity }: Exposure, price: Decimal): Decimal {
  return quantity.abs().times(price);
}

export function unrealizedOf({ quantity, cost }: Exposure, price: Decimal): Decimal {
  return quantity.times(price).minus(cost);
}

/**
 * What a position receives when funding settles (rule A3): −rate · mark · quantity, so longs pay when the rate is positive
 * and shorts get it. Exact. Example: rate 0.0001, mark 60000, long 0.5 → −3; short 0.5 → 3.
 */
export function fundingPayment({ quantity }: Pick<Exposure, 'quantity'>, rate: Decimal, mark: Decimal): Decimal {
  const received = rate.times(mark).times(quantity).neg();
  return received.isZero() ? ZERO : received;
}
