/** Own orders as the comparison sees them, and questions to the state about orders at the exchange. */
import type { VenueFill } from '../model/trading/fill.ts';
import type { OrderReport } from '../model/trading/order.ts';
import { countOfIntent, intentIdOf, sessionOfIntent } from '../spine/intent-id.ts';
import { isUnresolved, type HeldState } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { StateView } from '../spine/trading-state.ts';

type Terms = 'absentSince' | 'ackedAt' | 'cancelWanted' | 'intentId' | 'orderId' | 'request' | 'sentAt' | 'strategy';

export interface LocalOrder extends Pick<OwnOrder, Terms> {
  readonly state: HeldState;
  /** Clock skew at signing, venue minus this machine, ms. Absent: near 0; null: the row is lost. */
  readonly offsetMs?: number | null;
  /** Unix ms; absent until the venue reports it closed. */
  readonly endedAt?: number;
  /** The reported quantity exceeds the booked one. */
  readonly missesFills: boolean;
  readonly cancelInFlight: boolean;
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

/** Open, unresolved, or missing fills. */
export function liveOrders({ orders }: StateView): readonly LocalOrder[] {
  return orders.allLive().map(localOrder);
}

/** Live orders, and closed ones that these reports and fills name. */
export function ordersIn(
  { orders }: Pick<StateView, 'orders'>,
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

/** Belongs to this session, or to one of `earlier`. */
export function isLeftOver(state: StateView, { clientOrderId }: OrderReport, earlier?: ReadonlySet<string>): boolean {
  const intentId = intentIdOf(clientOrderId);
  if (intentId === undefined) return false;
  return isOfThisSession(state, intentId) || earlier?.has(sessionOfIntent(intentId)) === true;
}

export function isOfThisSession({ sessions }: StateView, intentId: string): boolean {
  return sessions.has(sessionOfIntent(intentId));
}

/** Made by this session, but in no row. */
export function isLost(state: StateView, intentId: string): boolean {
  return isOfThisSession(state, intentId) && !state.intents.has(intentId);
}

/** Made by this session in lost rows, and not reported yet. */
export function revealsLostRows(state: StateView, { orderId, clientOrderId, createdAt }: OrderReport): boolean {
  if (state.restored !== undefined || createdAt <= state.acknowledgedAt || state.toldLost.has(orderId)) return false;
  return isLost(state, intentIdOf(clientOrderId) ?? '');
}

/**
 * Count of the oldest own intent in flight that could change something unseen. 0: an earlier process's, or a transfer;
 * `Infinity`: none.
 */
export function movingFrom({ orders, money }: StateView, bootId: string): number {
  let from = money.isTradingStill ? Number.POSITIVE_INFINITY : 0;
  for (const { intentId, progress } of orders.allLive())
    if (isUnresolved(progress) || progress.fillLots < progress.reportedLots)
      from = Math.min(from, countOfIntent(intentId, bootId) ?? 0);
  return from;
}

/** What a comparison of the account waits for; undefined: nothing. */
export function movingText({ orders, money }: StateView): string | undefined {
  for (const { ref, progress } of orders.allLive()) {
    if (isUnresolved(progress)) return `the outcome of ${ref} is unknown`;
    if (progress.fillLots < progress.reportedLots) return `trades of ${ref} are missing`;
  }
  return money.isTradingStill ? undefined : 'the outcome of a transfer is unknown';
}

export function localOrder(order: OwnOrder): LocalOrder {
  const { progress } = order;
  return {
    intentId: order.intentId,
    strategy: order.strategy,
    request: order.request,
    orderId: order.orderId,
    sentAt: order.sentAt,
    offsetMs: order.offsetMs,
    ackedAt: order.ackedAt,
    cancelWanted: order.cancelWanted,
    absentSince: order.absentSince,
    state: progress.state,
    ...(order.endedAt === 0 ? {} : { endedAt: order.endedAt }),
    missesFills: progress.fillLots < progress.reportedLots,
    cancelInFlight: order.cancel === 'sent',
  };
}
