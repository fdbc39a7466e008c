/**
 * Positions that share their collateral: all cross positions of one account in one settlement currency, or a single
 * isolated one with its own margin. Equity is the balance plus what the positions are worth; at or below the sum of
 * maintenance margins everything in it is liquidated together. Pure.
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import { notionalOf, unrealizedOf, type Exposure } from './exposure.ts';
import type { RiskTiers } from './risk-tiers.ts';

export interface MarkedPosition {
  readonly exposure: Exposure;
  readonly mark: Decimal;
  readonly tiers: RiskTiers;
}

export interface MarginState {
  /** Balance + unrealised profit; may be below zero after a jump of the mark. */
  readonly equity: Decimal;
  /** Sum of maintenance margins. */
  readonly maintenance: Decimal;
  /** maintenance / equity: 1 or more is liquidation; null when equity is zero or below. */
  readonly ratio: Decimal | null;
  readonly isLiquidated: boolean;
}

/** `balance`: the money that backs these positions, profits not yet realised left out. */
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

/** What these positions leave of the balance: the collateral of others for their liquidation price. */
export function unneeded(balance: Decimal, positions: readonly MarkedPosition[]): Decimal {
  const { equity, maintenance } = marginState(balance, positions);
  return equity.minus(maintenance);
}

/**
 * Collateral of each position for its bankruptcy price when all are closed together: the equity is shared out by
 * maintenance margin. A position's share less its own unrealised profit is what it can lose from its cost, so that closing
 * all at their bankruptcy prices leaves exactly nothing. With a single position it is the balance.
 */
export function bankruptcyCollaterals(balance: Decimal, positions: readonly MarkedPosition[]): readonly Decimal[] {
  if (positions.length === 1) return [balance];
  const { equity, maintenance } = marginState(balance, positions);
  return positions.map(({ exposure, mark, tiers }) => {
    const share = tiers.maintenance(notionalOf(exposure, mark)).div(maintenance);
    return equity.times(share).minus(unrealizedOf(exposure, mark));
  });
}
