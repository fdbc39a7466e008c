/** Steps from P&L at decision mids through slippage, fees and funding to net P&L, then overdraft interest. */
import type { ResultDocument } from '../../session/result/result.ts';
import type { FillValue } from '../../statistics/valuation.ts';
import { money } from './format.ts';

export interface CostStep {
  readonly label: string;
  /** Reporting currency; a cost is negative. */
  readonly amount: number;
  readonly kind: 'total' | 'change';
  readonly note: string;
}

/** Empty when net P&L or fees are unknown. */
export function costSteps(result: ResultDocument, values: readonly FillValue[]): CostStep[] {
  const net = numberOf(result, 'netPnl');
  const fees = numberOf(result, 'fees');
  if (net === null || fees === null) return [];
  const funding = numberOf(result, 'funding') ?? 0;
  const gross = net + fees - funding;
  const slippage = slippageOf(values);
  const steps: CostStep[] = [];
  if (slippage !== null) {
    const note =
      slippage.covered < 1
        ? `known for ${Math.round(slippage.covered * 100)} % of the fills`
        : 'fill price against arrival mid';
    steps.push({
      label: 'At arrival mid',
      amount: gross + slippage.cost,
      kind: 'total',
      note: 'had every fill been at the mid',
    });
    steps.push({ label: 'Slippage', amount: -slippage.cost, kind: 'change', note });
  }
  steps.push({ label: 'Gross', amount: gross, kind: 'total', note: 'before fees and funding' });
  steps.push({ label: 'Fees', amount: -fees, kind: 'change', note: feeNote(values) });
  if (funding !== 0) steps.push({ label: 'Funding', amount: funding, kind: 'change', note: 'received less paid' });
  steps.push({ label: 'Net', amount: net, kind: 'total', note: 'equity at the end less at the start' });
  const interest = result.overdraftInterest ?? 0;
  if (interest === 0) return steps;
  steps.push({
    label: 'Overdraft interest',
    amount: -interest,
    kind: 'change',
    note: 'charged to the loan, not to the equity',
  });
  steps.push({ label: 'Net after interest', amount: net - interest, kind: 'total', note: 'once the loan is repaid' });
  return steps;
}

/** Reporting currency, positive when fills were worse than the decision mid; null when unknown. */
function slippageOf(values: readonly FillValue[]): { cost: number; covered: number } | null {
  let cost = 0;
  let known = 0;
  for (const { fill, direction, price, quantity, unit } of values) {
    if (fill.arrivalMid === undefined || fill.arrivalMid === null) continue;
    known++;
    cost += price.minus(fill.arrivalMid).times(direction).times(quantity).times(unit).toNumber();
  }
  return known === 0 ? null : { cost, covered: known / values.length };
}

/** Maker and taker fees; a base fee counts at its fill price. */
function feeNote(values: readonly FillValue[]): string {
  const paid = { maker: 0, taker: 0 };
  for (const { fill, fee } of values) paid[fill.liquidity] += fee?.toNumber() ?? 0;
  return `as maker ${money(paid.maker)}, as taker ${money(paid.taker)}`;
}

export function numberOf(result: ResultDocument, name: string): number | null {
  const value = result.stats[name];
  return typeof value === 'number' ? value : null;
}
