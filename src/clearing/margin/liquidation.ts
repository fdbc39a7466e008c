/**
 * Liquidation and bankruptcy prices. `collateral` of an isolated position is its margin. Of a cross position it is the
 * balance plus the equity that other positions do not need. q: size, C: cost, both unsigned; M: collateral; r, a: rate
 * and amount of the tier; f: liquidation fee rate.
 * Liquidation price P: equity equals maintenance margin.
 *   long   M + qP − C = r·qP − a   ⇒  P = (C − M − a) / (q·(1 − r))
 *   short  M + C − qP = r·qP − a   ⇒  P = (C + M + a) / (q·(1 + r))
 * The tier depends on qP; exactly one tier's root lies inside that tier. Both sides of hedge mode share one mark:
 *   M + ΣqP − ΣC = Σ(r·|q|P − a)   ⇒  P = (ΣC − M − Σa) / (Σq − Σr·|q|)
 * Bankruptcy price B: closing at B and paying the fee leaves zero.
 *   long   M + qB − C − f·qB = 0   ⇒  B = (C − M) / (q·(1 − f))
 *   short  M + C − qB − f·qB = 0   ⇒  B = (C + M) / (q·(1 + f))
 * Example: long 1 at 50000, M = 5000, r = 0.005, a = 50, f = 0 → P = 45175.879…, B = 45000. Prices have 18 places.
 */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Exposure } from './exposure.ts';
import type { RiskTiers, TierBracket } from './risk-tiers.ts';

const PRICE_PLACES = 18;

/** Ascending; empty where the collateral covers a long's whole cost. */
export function liquidationPrices(exposures: readonly Exposure[], collateral: Decimal, tiers: RiskTiers): Decimal[] {
  const quantity = exposures.reduce((sum, exposure) => sum.plus(exposure.quantity), ZERO);
  const cost = exposures.reduce((sum, exposure) => sum.plus(exposure.cost), ZERO);
  const prices: Decimal[] = [];
  for (const brackets of choices(exposures.length, tiers.brackets)) {
    const kept = brackets.reduce((sum, { rate }, leg) => sum.plus(exposures[leg]!.quantity.abs().times(rate)), ZERO);
    const slope = quantity.minus(kept);
    if (slope.isZero()) continue;
    const amount = brackets.reduce((sum, bracket) => sum.plus(bracket.amount), ZERO);
    const price = cost.minus(collateral).minus(amount).div(slope);
    const isThere = brackets.every(({ floor, ceiling }, leg) => {
      const notional = price.times(exposures[leg]!.quantity.abs());
      return notional.gt(floor) && (ceiling === null || notional.lte(ceiling));
    });
    if (isThere) prices.push(price.toDecimalPlaces(PRICE_PLACES));
  }
  return prices.sort((one, other) => one.cmp(other));
}

/** Every assignment of the positions to tiers. */
function choices(count: number, brackets: readonly TierBracket[]): TierBracket[][] {
  if (count === 0) return [[]];
  return choices(count - 1, brackets).flatMap((before) => brackets.map((bracket) => [...before, bracket]));
}

/** Zero or below when the collateral covers all that a long can lose. */
export function bankruptcyPrice(exposure: Exposure, collateral: Decimal, feeRate: Decimal): Decimal {
  const size = exposure.quantity.abs();
  const cost = exposure.cost.abs();
  const price = exposure.quantity.gt(0)
    ? cost.minus(collateral).div(size.times(feeRate.neg().plus(1)))
    : cost.plus(collateral).div(size.times(feeRate.plus(1)));
  return price.toDecimalPlaces(PRICE_PLACES);
}
