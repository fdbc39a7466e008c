/** Budget of a strategy. */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { Candidate, RiskFacts } from '../facts.ts';

export function budgetDenial(order: Candidate, facts: RiskFacts, budget: number): Denied | null {
  if (order.exits || budget === Number.POSITIVE_INFINITY) return null;
  const value = facts.strategyValue + facts.referenceTicks * order.lots * facts.unitValue;
  if (value <= budget) return null;
  return denied(
    'strategy_budget',
    `${order.strategy}: positions and orders could be worth ${value.toFixed(2)}, the budget is ${budget}`,
  );
}
