/** A comparison without I/O: findings about own orders, from the state, the lists and the notes of earlier passes. */
import { itemsOf } from '../model/result.ts';
import { dec } from '../model/numbers/money.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Account, AccountNotes } from './account/account-notes.ts';
import { compareOrders, type CompareRules } from './compare.ts';
import { bookedOrders, sawOrder, wasThere, type TradeNotes } from './account/external-trades.ts';
import type { Finding } from './finding.ts';
import type { ReconcileGate } from './gate.ts';
import { isLost, isOver, isUnproved, liveOrders, ordersIn } from './local-order.ts';
import type { ReconcilerPort } from './port.ts';
import type { AccountReadings } from './readings.ts';

export interface Context {
  readonly port: Pick<ReconcilerPort, 'deps' | 'state' | 'toldSides'>;
  readonly notes: { readonly account: AccountNotes; readonly trades: TradeNotes };
  readonly gate: ReconcileGate;
  /** ± ms. */
  readonly skewMs: number;
}

const NONE: ReadonlySet<string> = new Set();

export function accountOf({ port: { state, deps }, notes, gate }: Context): Account {
  return {
    state,
    instruments: deps.instruments,
    notes: notes.account,
    gate,
    now: deps.clock.now(),
    tolerance: dec(deps.options.reconcile.balanceTolerance),
    lagMs: deps.options.reconcile.historyLagMs,
  };
}

export function rulesOf({ port, notes, gate, skewMs }: Context): Omit<CompareRules, 'others'> {
  const { state, toldSides, deps } = port;
  const { reconcile } = deps.options;
  return {
    fenceMs: reconcile.signatureWindowMs + skewMs + reconcile.fenceMarginMs,
    historyLagMs: reconcile.historyLagMs,
    skewMs,
    earlier: { until: state.resumedFrom, moreMs: reconcile.earlierClockMs, isRebuilt: deps.asksNobody === true },
    wasThere: (orderId, intentId) =>
      state.disowned.has(orderId) || wasThere(notes.trades, deps.bootId, orderId, intentId),
    ids: deps.venue.clientOrderIds ? 'kept' : 'absent',
    offsetMs: Math.round(deps.venue.clockOffsetMs?.() ?? 0),
    doubtful: new Set(gate.mismatches.keys()),
    adopts: state.restored !== undefined && ((intentId) => isLost(state, intentId)),
    believesSide: (fill) => toldSides.believes(fill, deps.instruments.find(fill.symbol)),
  };
}

export function compared(context: Context, readings: AccountReadings, isLast: boolean): readonly Finding[] {
  const reports = [...itemsOf(readings.active), ...itemsOf(readings.history)];
  const fills = itemsOf(readings.trades);
  const { state } = context.port;
  const { trades } = context.notes;
  const local = ordersIn(state, reports, fills);
  const unproved = local.filter(isUnproved);
  const others =
    unproved.length > 0 || state.restored !== undefined ? bookedOrders(state, [...reports, ...fills]) : NONE;
  const ours = new Set(local.map(({ orderId }) => orderId));
  for (const { orderId, side } of reports) if (!ours.has(orderId)) sawOrder(trades, state, orderId, side);
  for (const { orderId } of fills) if (!ours.has(orderId)) sawOrder(trades, state, orderId);
  return compareOrders(local, readings, { ...rulesOf(context), others, isLast });
}

/** An open own order is not listed. Then history is polled before the account is trusted. */
export function hasVanished(state: StateView, readings: AccountReadings): boolean {
  if (readings.active.kind !== 'complete') return false;
  const active = new Set(readings.active.items.map((report) => report.orderId));
  return liveOrders(state).some(
    (order) =>
      order.orderId !== undefined &&
      !isOver(order) &&
      order.ackedAt < readings.active.asOf &&
      !active.has(order.orderId),
  );
}

export function vanishedText({ orders }: StateView, intentId: string): string {
  const order = orders.byIntent(intentId);
  const what =
    order === undefined
      ? intentId
      : `${order.ref} (${order.request.side} ${order.request.quantity} ${order.request.symbol})`;
  return `${what} is open here, and in neither the active list nor the history: it is over once two looks at all lists show none of it`;
}
