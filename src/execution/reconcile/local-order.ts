/** An own order as the comparison needs it, and what its state says of it. Pure. Used by the reconciler and its rooms. */
import type { OrderRequest, OrderState } from '../../model/order.ts';

export interface LocalOrder {
  readonly intentId: string;
  readonly strategy: string;
  readonly state: OrderState;
  readonly request: OrderRequest;
  readonly orderId: string | undefined;
  /** Unix ms; 0 when nothing was sent. */
  readonly sentAt: number;
  /** The venue's clock before ours as it was signed, ms; absent: near it; null: the row that said so is lost. */
  readonly offsetMs?: number | null;
  readonly ackedAt: number;
  /** Unix ms at which the venue said that it is over; absent while it has not. */
  readonly endedAt?: number;
  /** Reported quantity is not all booked as fills. */
  readonly missesFills: boolean;
  readonly cancelWanted: boolean;
  readonly cancelInFlight: boolean;
  /** `asOf` of the first set of readings without a trace; 0 when there was none. */
  readonly absentSince: number;
}

/** It may be at the venue or nowhere. */
export function isUnproved({ state }: LocalOrder): boolean {
  return state === 'unknown' || state === 'sending';
}

/** Nothing of it rests or is on its way. */
export function isOver(order: LocalOrder): boolean {
  const { state } = order;
  return (
    !isUnproved(order) &&
    state !== 'open' &&
    state !== 'partially_filled' &&
    state !== 'canceling' &&
    state !== 'pending'
  );
}

/** The next readings have to say something of it, the history with them. */
export function isInDoubt(order: LocalOrder): boolean {
  return isUnproved(order) || order.missesFills || (order.cancelWanted && !isOver(order));
}
