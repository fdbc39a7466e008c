/** Maximum quantity and value of one order. */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { Candidate, Limits, RiskFacts } from '../facts.ts';
import { isWithin } from './within.ts';

export function orderSizeDenial(
  order: Candidate,
  facts: RiskFacts,
  limits: Limits,
  equityFraction: number,
): Denied | null {
  if (order.exits) return null;
  if (order.lots > limits.maxOrderLots) {
    const { instrument } = order;
    const limit = instrument.quantityText(limits.maxOrderLots);
    return denied(
      'max_order_size',
      `${instrument.symbol}: quantity ${instrument.quantityText(order.lots)} exceeds the maximum ${limit} of an order`,
      'quantity',
    );
  }
  const value = facts.referenceTicks * order.lots * facts.unitValue;
  const limit = Math.min(limits.maxOrderValue, facts.equity * equityFraction);
  if (isWithin(value, limit)) return null;
  if (Number.isNaN(facts.equity))
    return denied('not_reconciled', `${order.instrument.symbol}: the balances of the account are not known yet`);
  if (Number.isNaN(value))
    return denied('no_market', `${order.instrument.symbol}: there is no price to value the order`);
  return denied(
    'max_order_value',
    `${order.instrument.symbol}: value ${value.toFixed(2)} exceeds the maximum ${limit.toFixed(2)} of an order`,
  );
}
