/** Orders without a client id. */
import type { OrderReport } from '../model/order.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { LocalOrder } from './local-order.ts';

/**
 * Order ids in one list that are proved external. A missing client id counts when the list has an id of ours on an
 * older and on a younger order, and lacks none that we know; an exchange may forget ids.
 */
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
