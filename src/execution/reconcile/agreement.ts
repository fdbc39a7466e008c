/**
 * Whether journal and exchange agree. Agreement needs positive proof: every list was read whole, what is open here is active
 * there, what is active there and ours is open here, no outcome is unknown, no trade is missing, and every balance and position is
 * what the journal explains. The one comparison that a running session, its orderly end, `plan` and `reconcile` judge by. Pure.
 */
import type { OrderReport } from '../../model/order.ts';
import type { AccountRow } from './account-rows.ts';
import { itemsOf } from './compare.ts';
import { isOver, isUnproved, type LocalOrder } from './local-order.ts';
import { failuresOf, type AccountReadings } from './readings.ts';

export interface Disagreement {
  readonly kind: 'not-read' | 'order-unexplained' | 'order-missing' | 'unresolved' | 'fills-missing' | 'account';
  readonly message: string;
}

/** What the journal says, with all that the readings told booked. */
export interface JournalView {
  /** Open, unresolved, or with fills to come. */
  readonly live: readonly LocalOrder[];
  readonly isOurs: (report: OrderReport) => boolean;
  readonly account: readonly AccountRow[];
}

export function disagreements(
  { live, isOurs, account }: JournalView,
  readings: AccountReadings,
): readonly Disagreement[] {
  const active = itemsOf(readings.active);
  const there = new Set(active.map(({ orderId }) => orderId));
  const open = live.filter((order) => !isOver(order));
  const here = new Set(open.map(({ orderId }) => orderId));
  const unread = readings.history === undefined ? ['order history: not asked for'] : failuresOf(readings);
  return [
    ...unread.map((message) => ({ kind: 'not-read', message }) as const),
    ...active
      .filter((report) => !here.has(report.orderId) && isOurs(report))
      .map((report) => said('order-unexplained', `${nameOf(report)} rests, and no open order here explains it`)),
    ...open
      .filter((order) => !isUnproved(order) && order.orderId !== undefined && !there.has(order.orderId))
      .map((order) => said('order-missing', `${order.intentId} is open here, and not active there`)),
    ...live.filter(isUnproved).map(({ intentId }) => said('unresolved', `the outcome of ${intentId} is unknown`)),
    ...live
      .filter((order) => isOver(order) && order.missesFills)
      .map(({ intentId }) => said('fills-missing', `trades of ${intentId} are missing`)),
    ...account
      .filter(({ verdict }) => verdict !== 'agrees')
      .map(({ subject, name, told, explained }) =>
        said('account', `the ${subject} of ${name} is ${told} there, and ${explained} by the journal`),
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
