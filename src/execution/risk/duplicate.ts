/**
 * A placement like one whose fate is not known yet is not sent a second time. Compared with unresolved orders only.
 * Quotes, targets and flattening count those orders themselves before they ask for more. Pure.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { isUnresolved } from '../order-machine.ts';
import type { OwnOrder } from '../own-order.ts';
import type { Candidate } from './facts.ts';

export function duplicateDenial(order: Candidate, live: readonly OwnOrder[]): Denied | null {
  if (order.origin !== 'place') return null;
  for (const other of live) {
    if (!isUnresolved(other.progress) || other.strategy !== order.strategy) continue;
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
