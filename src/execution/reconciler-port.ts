/** The executor as the reconciler works on it. */
import type { Json } from '../model/json.ts';
import { dec, decimalText, type Decimal } from '../model/money.ts';
import type { OrderReport } from '../model/order.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Intake } from './intake.ts';
import { isUnresolved } from '../spine/orders/order-machine.ts';
import { countOfIntent, intentIdOf, sessionOfIntent } from '../spine/intent-id.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { adoptOrder, noteRewound } from './adopt.ts';
import { localOrder, ordersIn } from '../reconciler/own-orders-in.ts';
import { takeSentElsewhere } from './sent-elsewhere.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';

export function createReconcilerPort(core: Core, intake: Intake, dispatcher: Dispatcher): ReconcilerPort {
  const byIntent = (intentId: string): OwnOrder | undefined => core.state.orders.byIntent(intentId);
  const drifts = new Map<string, Decimal>();
  const isOfThisSession = (intentId: string): boolean => core.state.sessions.has(sessionOfIntent(intentId));
  const isLost = (intentId: string): boolean => isOfThisSession(intentId) && !core.state.intents.has(intentId);
  return {
    deps: core.deps,
    get state() {
      return core.state;
    },
    liveOrders: () => core.state.orders.allLive().map(localOrder),
    ordersIn: (reports, fills) => ordersIn(core.state.orders, reports, fills),
    isOurs: ({ orderId, clientOrderId }) =>
      core.state.orders.byOrderId(orderId) !== undefined || intentIdOf(clientOrderId) !== undefined,
    isOfThisSession,
    movingFrom: () => {
      let from = core.state.money.isTradingStill ? Number.POSITIVE_INFINITY : 0;
      for (const { intentId, progress } of core.state.orders.allLive())
        if (isUnresolved(progress) || progress.fillLots < progress.reportedLots)
          from = Math.min(from, countOfIntent(intentId, core.deps.bootId) ?? 0);
      return from;
    },
    fillCount: () => intake.fillCount,
    holdsMoney: () =>
      core.balances.hasAny || core.state.explainsMoney(dec(core.deps.options.reconcile.balanceTolerance)),
    haveRead: (to) => {
      // Waiting rows may be lost, so what they book must be read again.
      if (core.writer.failure !== undefined) return;
      const now = Object.fromEntries([...drifts].map(([currency, drift]) => [currency, decimalText(drift)]));
      const settled = { ...core.state.readTo?.settled, ...now };
      const isNone = Object.keys(settled).length === 0;
      core.spine.commit({ kind: 'read-to', ...to, ...(isNone ? {} : { settled }) });
    },
    drift: (currency) => {
      const before = core.state.readTo?.settled?.[currency];
      return drifts.get(currency) ?? (before === undefined ? undefined : dec(before));
    },
    setDrift: (currency, drift) => void drifts.set(currency, drift),
    turn: (work) => core.turn.run(work),
    report: (intentId, report) => {
      const order = byIntent(intentId);
      if (order !== undefined) intake.applyReport(order, report, 'reconcile');
    },
    fill: (fill) => {
      intake.fill(fill, 'reconcile');
    },
    liquidation: (report) => intake.liquidation(report),
    liquidationFill: (fill) => intake.liquidationFill(fill),
    settleLiquidations: () => intake.settleLiquidations(),
    funding: (payment) => intake.funding(payment),
    claim: (intentId, report, reason) => claim(core, intake, { intentId, report, reason }),
    disown: (orderId, reason) => disown(core, orderId, reason),
    absent: (intentId, asOf) => {
      const order = byIntent(intentId);
      if (order !== undefined) core.spine.commitTo(order, { kind: 'absent', intentId, asOf });
    },
    neverArrived: (intentId, evidence) => neverArrived(core, dispatcher, intentId, evidence),
    recancel: (intentId) => {
      const order = byIntent(intentId);
      if (order !== undefined) dispatcher.cancel([order], false, true);
    },
    reopen: (intentId, report) => {
      const order = byIntent(intentId);
      return order !== undefined && intake.reopen(order, report);
    },
    lower: (intentId, report) => {
      const order = byIntent(intentId);
      if (order !== undefined) intake.lower(order, report);
    },
    cancelUnexplained: (report) => dispatcher.cancelUnexplained(report),
    tellsOfLostRows: ({ clientOrderId, createdAt }) =>
      core.state.restored === undefined &&
      createdAt > core.state.acknowledgedAt &&
      isLost(intentIdOf(clientOrderId) ?? ''),
    rewound: (report) => noteRewound(core, report),
    adopts: () => core.state.restored !== undefined && isLost,
    takeSentElsewhere: () => takeSentElsewhere(core),
    adopt: (report) => adoptOrder(core, report),
    balances: (rows, whole) => intake.balances(rows, whole),
    positions: (rows, whole) => intake.positions(rows, whole),
    external: (orders) => void (core.risk.external = orders),
    adjust: (adjustment) => {
      core.spine.commit({ kind: 'adjustment', ...adjustment });
      core.workWanted = true;
    },
    flow: (flow) => core.flowed(flow),
    alarm: (code, message) => core.alarm(code, message),
    believesSide: (fill) => core.toldSides.believes(fill, core.deps.instruments.find(fill.symbol)),
    likelySide: (fill) => core.toldSides.likely(fill, core.deps.instruments.find(fill.symbol)),
    streamReady: () => core.state.heard.streamReady,
    follow: (listener) => core.follow(listener),
  };
}

interface Claim {
  readonly intentId: string;
  readonly report: OrderReport;
  readonly reason: string;
}

function claim(core: Core, intake: Intake, { intentId, report, reason }: Claim): boolean {
  const order = core.state.orders.byIntent(intentId);
  if (order === undefined) throw new RangeError(`no order ${intentId}`);
  if (!core.writer.commit({ kind: 'claimed', intentId, orderId: report.orderId, reason })) return false;
  intake.applyReport(order, report, 'reconcile');
  return true;
}

function disown(core: Core, orderId: string, reason: string): boolean {
  return core.spine.commitDurably({ kind: 'disowned', orderId, reason });
}

function neverArrived(core: Core, dispatcher: Dispatcher, intentId: string, evidence: Json): void {
  const order = core.state.orders.byIntent(intentId);
  if (order === undefined || !isUnresolved(order.progress)) return;
  const message = 'proved absent: the signature window has passed and two complete readings show no trace of it';
  const state = 'never_arrived';
  dispatcher.commit(order, { kind: 'closed', intentId, state, reason: state, message, evidence });
}
