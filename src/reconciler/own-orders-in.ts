/** Own orders of the comparison. */
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport } from '../model/order.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { LocalOrder } from './local-order.ts';

/** Live orders, and closed ones that these reports and fills name. */
export function ordersIn(
  orders: StateView['orders'],
  reports: readonly OrderReport[],
  fills: readonly VenueFill[],
): readonly LocalOrder[] {
  const found = new Set(orders.allLive());
  const add = (order: OwnOrder | undefined): void => {
    if (order !== undefined) found.add(order);
  };
  for (const { orderId, clientOrderId } of reports) {
    const intentId = intentIdOf(clientOrderId);
    add(orders.byOrderId(orderId));
    if (intentId !== undefined) add(orders.byIntent(intentId));
  }
  for (const { orderId } of fills) add(orders.byOrderId(orderId));
  return [...found].map(localOrder);
}

export function localOrder(order: OwnOrder): LocalOrder {
  const { progress } = order;
  return {
    intentId: order.intentId,
    strategy: order.strategy,
    state: progress.state,
    request: order.request,
    orderId: order.orderId,
    sentAt: order.sentAt,
    offsetMs: order.offsetMs,
    ackedAt: order.ackedAt,
    ...(order.endedAt === 0 ? {} : { endedAt: order.endedAt }),
    missesFills: progress.fillLots < progress.reportedLots,
    cancelWanted: order.cancelWanted,
    cancelInFlight: order.cancel === 'sent',
    absentSince: order.absentSince,
  };
}
