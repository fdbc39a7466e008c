/**
 * Denies a placement equal to one that is unresolved or about to leave. Quotes, targets and flattening count those
 * orders themselves.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { isUnresolved } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { Candidate } from '../facts.ts';

export function duplicateDenial(order: Candidate, live: readonly OwnOrder[]): Denied | null {
  if (order.origin !== 'place') return null;
  for (const other of live) {
    if (other.strategy !== order.strategy || !(isUnresolved(other.progress) || isLeaving(other))) continue;
    if (other.side !== order.side || other.isMarket !== order.isMarket || other.positionSide !== order.positionSide)
      continue;
    if (other.ticks !== order.ticks || other.progress.lots !== order.lots) continue;
    return denied(
      'duplicate_order',
      `${order.instrument.symbol}: ${other.ref} is the same order and its fate is not known yet`,
    );
  }
  return null;
}

function isLeaving({ handed, progress }: OwnOrder): boolean {
  return handed && progress.state === 'pending';
}
