/**
 * All cross positions of one account and settlement currency, or one isolated position. They are liquidated together at
 * equity ≤ maintenance.
 */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import { notionalOf, unrealizedOf, type Exposure } from './exposure.ts';
import type { RiskTiers } from './risk-tiers.ts';

export interface MarkedPosition {
  readonly exposure: Exposure;
  readonly mark: Decimal;
  readonly tiers: RiskTiers;
}

export interface MarginState {
  readonly equity: Decimal;
  readonly maintenance: Decimal;
  /** maintenance / equity; 1 or more is liquidation; null when equity ≤ 0. */
  readonly ratio: Decimal | null;
  readonly isLiquidated: boolean;
}

/** `balance`: without unrealised profit. */
export function marginState(balance: Decimal, positions: readonly MarkedPosition[]): MarginState {
  let equity = balance;
  let maintenance = ZERO;
  for (const { exposure, mark, tiers } of positions) {
    equity = equity.plus(unrealizedOf(exposure, mark));
    maintenance = maintenance.plus(tiers.maintenance(notionalOf(exposure, mark)));
  }
  return {
    equity,
    maintenance,
    ratio: equity.gt(0) ? maintenance.div(equity) : null,
    isLiquidated: maintenance.gt(0) && equity.lte(maintenance),
  };
}

/** Equity less maintenance: what the other positions may use as collateral. */
export function unneeded(balance: Decimal, positions: readonly MarkedPosition[]): Decimal {
  const { equity, maintenance } = marginState(balance, positions);
  return equity.minus(maintenance);
}

/**
 * Collateral of each position for its bankruptcy price when all are closed together. Equity is shared in proportion to
 * maintenance margin. A share less the position's unrealised profit is what it can lose from its cost, so closing all
 * leaves exactly zero.
 */
export function bankruptcyCollaterals(balance: Decimal, positions: readonly MarkedPosition[]): readonly Decimal[] {
  if (positions.length === 1) return [balance];
  const { equity, maintenance } = marginState(balance, positions);
  return positions.map(({ exposure, mark, tiers }) => {
    const share = tiers.maintenance(notionalOf(exposure, mark)).div(maintenance);
    return equity.times(share).minus(unrealizedOf(exposure, mark));
  });
}
