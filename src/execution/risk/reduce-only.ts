/**
 * A reduce-only order must be opposite to the position and, with everything else that already reduces it, not larger
 * (INV-R4). Checked here whatever the venue checks. Pure.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { amountText } from '../../model/money.ts';
import type { Candidate, Exposure } from './facts.ts';

export function reduceOnlyDenial(order: Candidate, exposure: Exposure): Denied | null {
  if (!order.reduceOnly) return null;
  const reducible = order.side === 'sell' ? exposure.lots - exposure.sellLots : -exposure.lots - exposure.buyLots;
  if (order.lots <= reducible) return null;
  const { instrument } = order;
  const left = amountText(instrument.quantityOf(Math.max(0, reducible)));
  return denied(
    'reduce_only',
    `${instrument.symbol}: ${order.side} ${instrument.quantityText(order.lots)} exceeds what can be reduced (${left})`,
  );
}
