/** Counts each order once, over all processes of its session: accepted ≤ submitted, and one end each. */
import type { OrderState } from '../../model/trading/order.ts';

export interface OrderCounters {
  /** Creates given to the venue, and adopted orders of this session. */
  submitted: number;
  accepted: number;
  filled: number;
  canceled: number;
  denied: number;
  rejected: number;
  expired: number;
  /** Spot sells reduced by one lot, because only that quantity was free. */
  shrunk: number;
}

export function zeroCounters(): OrderCounters {
  return { submitted: 0, accepted: 0, filled: 0, canceled: 0, denied: 0, rejected: 0, expired: 0, shrunk: 0 };
}

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

/** Moves an order from its earlier end, if any, to the new one. */
export function countEnd(counters: OrderCounters, before: OrderState, now: OrderState): void {
  if (before === now) return;
  if (isEnd(before)) counters[before]--;
  if (isEnd(now)) counters[now]++;
}
