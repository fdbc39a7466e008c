/**
 * How many orders were sent and how they ended. Each order counts once, however often it is told of and however many processes
 * its session had: accepted ≤ submitted, and under one end. Counted by `core.ts` while it happens and by
 * `session/earlier-legs.ts` from the journal.
 */
import type { OrderState } from '../../model/order.ts';

export interface OrderCounters {
  /** Creates handed to the venue, and orders of this session that were taken over. */
  submitted: number;
  accepted: number;
  /** Orders that ended filled. */
  filled: number;
  canceled: number;
  denied: number;
  rejected: number;
  expired: number;
  /** Sells on spot that went out one lot smaller, since that was all that was free. */
  shrunk: number;
}

export function zeroCounters(): OrderCounters {
  return { submitted: 0, accepted: 0, filled: 0, canceled: 0, denied: 0, rejected: 0, expired: 0, shrunk: 0 };
}

/** A new object. */
export function addCounters(one: Readonly<OrderCounters>, other: Readonly<OrderCounters>): OrderCounters {
  const sum = { ...one };
  for (const name of Object.keys(sum) as (keyof OrderCounters)[]) sum[name] += other[name];
  return sum;
}

const ENDS = ['filled', 'canceled', 'denied', 'rejected', 'expired'] as const satisfies readonly OrderState[];
type End = (typeof ENDS)[number];

function isEnd(state: OrderState): state is End {
  return (ENDS as readonly OrderState[]).includes(state);
}

/** Counts an order under its end. One that was thought to have ended otherwise does not count there any more. */
export function countEnd(counters: OrderCounters, before: OrderState, now: OrderState): void {
  if (before === now) return;
  if (isEnd(before)) counters[before]--;
  if (isEnd(now)) counters[now]++;
}
