/** Orders whose cancel is not proved count as working. */
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { Candidate } from '../facts.ts';

export function openOrdersDenial(order: Candidate, open: number, max: number, whose: string): Denied | null {
  if (order.exits || open < max) return null;
  return denied(
    'max_open_orders',
    `${order.instrument.symbol}: ${open} orders of ${whose} are working, the maximum is ${max}`,
  );
}
