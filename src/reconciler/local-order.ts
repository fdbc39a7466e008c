/** An own order of the comparison. */
import type { OrderRequest } from '../model/order.ts';
import type { HeldState } from '../spine/orders/order-machine.ts';

export interface LocalOrder {
  readonly intentId: string;
  readonly strategy: string;
  readonly state: HeldState;
  readonly request: OrderRequest;
  readonly orderId: string | undefined;
  /** Unix ms; 0: nothing was sent. */
  readonly sentAt: number;
  /** Venue clock minus ours at signing, ms; absent: near 0; null: the row is lost. */
  readonly offsetMs?: number | null;
  readonly ackedAt: number;
  /** Unix ms; absent until the venue reports it closed. */
  readonly endedAt?: number;
  /** More is reported than booked. */
  readonly missesFills: boolean;
  readonly cancelWanted: boolean;
  readonly cancelInFlight: boolean;
  /** Exchange time of the first complete poll without a trace, Unix ms; 0: none. */
  readonly absentSince: number;
}

export function isUnproved({ state }: LocalOrder): boolean {
  return state === 'unknown' || state === 'sending';
}

export function isOver(order: LocalOrder): boolean {
  const { state } = order;
  return !isUnproved(order) && state !== 'open' && state !== 'partially_filled' && state !== 'pending';
}

export function isInDoubt(order: LocalOrder): boolean {
  return isUnproved(order) || order.missesFills || (order.cancelWanted && !isOver(order));
}
