/**
 * Whose an order is that bears no client id, where the venue keeps ours. No id proves nothing by itself: an exchange may
 * forget them, in one list, beyond some age or from some moment on. An order is somebody else's when the very same list
 * tells the ids of ours, of one at least as old and of one at least as young, and forgets none that we know. Else it may be
 * one of unknown fate, which stays unknown until its id is seen again. Pure. Used by the comparison.
 */
import type { OrderReport } from '../model/order.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { LocalOrder } from './local-order.ts';

/** Order ids in one list of the venue that are proved not to be ours. */
export function othersIn(list: readonly OrderReport[], local: readonly LocalOrder[]): readonly string[] {
  const ours = new Set(local.map(({ orderId }) => orderId));
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { orderId, clientOrderId, createdAt } of list) {
    if (intentIdOf(clientOrderId) !== undefined) {
      oldest = Math.min(oldest, createdAt);
      newest = Math.max(newest, createdAt);
    } else if (ours.has(orderId)) return [];
  }
  return list.flatMap(({ orderId, clientOrderId, createdAt }) =>
    clientOrderId === undefined && createdAt >= oldest && createdAt <= newest ? [orderId] : [],
  );
}
