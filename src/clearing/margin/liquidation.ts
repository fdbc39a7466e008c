/**
 * The two prices at which a position ends. `collateral` is what it can lose: of an isolated position its own margin; of a
 * cross position the balance plus what the other positions are worth and less what they must keep. q is the size, C the
 * cost, both without sign; M the collateral; r and a the rate and amount of the tier; f the liquidation fee rate.
 *
 * Liquidation price P: equity equals maintenance margin.
 *   long   M + qP − C = r·qP − a   ⇒  P = (C − M − a) / (q·(1 − r))
 *   short  M + C − qP = r·qP − a   ⇒  P = (C + M + a) / (q·(1 + r))
 * The tier depends on qP; equity less maintenance is monotone in P, so exactly one tier's root lies inside that tier.
 * The two sides of hedge mode move with one mark, so their sizes (with sign), costs and maintenance margins add up:
 *   M + ΣqP − ΣC = Σ(r·|q|P − a)   ⇒  P = (ΣC − M − Σa) / (Σq − Σr·|q|)
 *
 * Bankruptcy price B: closing at it and paying the liquidation fee leaves exactly nothing.
 *   long   M + qB − C − f·qB = 0   ⇒  B = (C − M) / (q·(1 − f))
 *   short  M + C − qB − f·qB = 0   ⇒  B = (C + M) / (q·(1 + f))
 *
 * Example: long 1 at 50000, leverage 10, M = 5000, r = 0.005, a = 50, f = 0 → P = 44950 / 0.995 = 45175.879…,
 * B = 45000. Prices are quotients, to 18 places. Pure.
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import type { Exposure } from './exposure.ts';
import type { RiskTiers, TierBracket } from './risk-tiers.ts';

const PRICE_PLACES = 18;

/**
 * Where the positions of one symbol are liquidated, ascending; none where no price above zero does it: the collateral covers
 * the whole cost of a long. With both sides of hedge mode there may be one below the mark, one above, or both.
 */
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

/** Each way to put so many positions into the tiers. */
function choices(count: number, brackets: readonly TierBracket[]): TierBracket[][] {
  if (count === 0) return [[]];
  return choices(count - 1, brackets).flatMap((before) => brackets.map((bracket) => [...before, bracket]));
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
