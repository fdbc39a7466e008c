/**
 * The two prices at which a position ends. `collateral` is what it can lose: of an isolated position its own margin; of a
 * cross position the balance plus what the other positions are worth and less what they must keep. q is the size, C the
 * cost, both without sign; M the collateral; r and a the rate and amount of the tier; f the liquidation fee rate.
 *
 * Liquidation price P: equity equals maintenance margin.
 *   long   M + qP − C = r·qP − a   ⇒  P = (C − M − a) / (q·(1 − r))
 *   short  M + C − qP = r·qP − a   ⇒  P = (C + M + a) / (q·(1 + r))
 * The tier depends on qP; equity less maintenance is monotone in P, so exactly one tier's root lies inside that tier.
 *
 * Bankruptcy price B: closing at it and paying the liquidation fee leaves exactly nothing.
 *   long   M + qB − C − f·qB = 0   ⇒  B = (C − M) / (q·(1 − f))
 *   short  M + C − qB − f·qB = 0   ⇒  B = (C + M) / (q·(1 + f))
 *
 * Example: long 1 at 50000, leverage 10, M = 5000, r = 0.005, a = 50, f = 0 → P = 44950 / 0.995 = 45175.879…,
 * B = 45000. Prices are quotients, to 18 places. Pure.
 */
import type { Decimal } from '../../model/money.ts';
import type { Exposure } from './exposure.ts';
import type { RiskTiers } from './risk-tiers.ts';

const PRICE_PLACES = 18;

/** Null when no price above zero liquidates: the collateral covers the whole cost of a long. */
export function liquidationPrice(exposure: Exposure, collateral: Decimal, tiers: RiskTiers): Decimal | null {
  const size = exposure.quantity.abs();
  if (size.isZero()) return null;
  const cost = exposure.cost.abs();
  const long = exposure.quantity.gt(0);
  for (const { floor, ceiling, rate, amount } of tiers.brackets) {
    const price = long
      ? cost
          .minus(collateral)
          .minus(amount)
          .div(size.times(rate.neg().plus(1)))
      : cost
          .plus(collateral)
          .plus(amount)
          .div(size.times(rate.plus(1)));
    const notional = price.times(size);
    const inTier = notional.gt(floor) && (ceiling === null || notional.lte(ceiling));
    if (inTier) return price.toDecimalPlaces(PRICE_PLACES);
  }
  return null;
}

/** Zero or below when the collateral covers everything a long can lose. */
export function bankruptcyPrice(exposure: Exposure, collateral: Decimal, feeRate: Decimal): Decimal {
  const size = exposure.quantity.abs();
  const cost = exposure.cost.abs();
  const price = exposure.quantity.gt(0)
    ? cost.minus(collateral).div(size.times(feeRate.neg().plus(1)))
    : cost.plus(collateral).div(size.times(feeRate.plus(1)));
  return price.toDecimalPlaces(PRICE_PLACES);
}
