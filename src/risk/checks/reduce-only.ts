/**
 * A reduce-only order must fit the strategy's position, less its other reductions. On a perpetual the account's
 * position and opposite ones of other strategies must cover it too, because external trades may have closed it.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { amountText } from '../../model/money.ts';
import type { Candidate, Exposure, RiskFacts } from '../facts.ts';

/** A fee in base leaves fractions of a lot. */
const ROUNDING = 1e-9;

export function reduceOnlyDenial(order: Candidate, facts: RiskFacts): Denied | null {
  if (!order.reduceOnly) return null;
  const own = reducible(order, facts.strategy);
  if (order.lots > own) return exceeds(order, own, 'what can be reduced');
  if (order.exits || order.instrument.market === 'spot') return null;
  const there = Math.max(0, reducible(order, facts.account)) + facts.againstLots;
  return order.lots > there + ROUNDING
    ? exceeds(order, there, 'what others have left of it', '; `tidewire plan` shows the choices')
    : null;
}

function reducible({ side }: Candidate, { lots, sellLots, buyLots }: Exposure): number {
  return side === 'sell' ? lots - sellLots : -lots - buyLots;
}

function exceeds({ instrument, side, lots }: Candidate, most: number, what: string, more = ''): Denied {
  const left = amountText(instrument.quantityOf(Math.max(0, most)));
  const quantity = instrument.quantityText(lots);
  return denied('reduce_only', `${instrument.symbol}: ${side} ${quantity} exceeds ${what} (${left})${more}`);
}
