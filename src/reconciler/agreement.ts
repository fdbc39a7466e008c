/**
 * Whether journal and exchange agree: lists complete, own orders matched both ways, nothing unresolved or unexplained.
 */
import { itemsOf } from '../model/result.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { AccountRow } from './account/account-rows.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { StateView } from '../spine/trading-state.ts';
import { isOver, isUnproved, liveOrders } from './local-order.ts';
import { failuresOf, type AccountReadings } from './readings.ts';

export interface Disagreement {
  readonly kind: 'not-read' | 'order-unexplained' | 'order-missing' | 'unresolved' | 'fills-missing' | 'account';
  readonly message: string;
}

/** Call after the snapshots are booked. */
export function disagreements(
  state: StateView,
  account: readonly AccountRow[],
  readings: AccountReadings,
): readonly Disagreement[] {
  const live = liveOrders(state);
  const active = itemsOf(readings.active);
  const there = new Set(active.map(({ orderId }) => orderId));
  const open = live.filter((order) => !isOver(order));
  const here = new Set(open.map(({ orderId }) => orderId));
  const unread = readings.history === undefined ? ['order history: not asked for'] : failuresOf(readings);
  return [
    ...unread.map((message) => ({ kind: 'not-read', message }) as const),
    ...active
      .filter((report) => !here.has(report.orderId) && isOurs(state, report))
      .map((report) => said('order-unexplained', `${nameOf(report)} rests, and belongs to no open order here`)),
    ...open
      .filter((order) => !isUnproved(order) && order.orderId !== undefined && !there.has(order.orderId))
      .map((order) => said('order-missing', `${order.intentId} is open here, and not active there`)),
    ...live.filter(isUnproved).map(({ intentId }) => said('unresolved', `the outcome of ${intentId} is unknown`)),
    ...live
      .filter((order) => isOver(order) && order.missesFills)
      .map(({ intentId }) => said('fills-missing', `trades of ${intentId} are missing`)),
    ...account
      .filter(({ verdict }) => verdict !== 'agrees')
      .map(({ subject, name, told: reported, explained }) =>
        said('account', `the ${subject} of ${name} is ${reported} there, and ${explained} by the journal`),
      ),
  ];
}

function said(kind: Disagreement['kind'], message: string): Disagreement {
  return { kind, message };
}

function nameOf({ orderId, clientOrderId, side, quantity, symbol, price }: OrderReport): string {
  const mark = clientOrderId === undefined ? '' : ` (${clientOrderId})`;
  return `order ${orderId}${mark}: ${side} ${quantity} ${symbol} at ${price ?? 'market'}`;
}

function isOurs({ orders }: StateView, { orderId, clientOrderId }: OrderReport): boolean {
  return orders.byOrderId(orderId) !== undefined || intentIdOf(clientOrderId) !== undefined;
}
