/** Size and cost of a position with the contract size applied: the input of every margin formula. */
import { ONE, ZERO, type Decimal } from '../../model/numbers/money.ts';

export interface Exposure {
  /** Signed base units: contracts × contract size. */
  readonly quantity: Decimal;
  /** Signed settlement currency; negative when short. */
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

/** Never negative. */
export function notionalOf({ quantity }: Exposure, price: Decimal): Decimal {
  return quantity.abs().times(price);
}

export function unrealizedOf({ quantity, cost }: Exposure, price: Decimal): Decimal {
  return quantity.times(price).minus(cost);
}

/** Amount received: −rate · mark · quantity, exact. Longs pay when the rate is positive. */
export function fundingPayment({ quantity }: Pick<Exposure, 'quantity'>, rate: Decimal, mark: Decimal): Decimal {
  const received = rate.times(mark).times(quantity).neg();
  return received.isZero() ? ZERO : received;
}
