/** The executor as the reconciler uses it. */
import type { Json } from '../model/text/json.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Finding } from '../reconciler/finding.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import { ownTransfers } from '../treasury/own-transfers.ts';
import { withdrawMoved } from './intake/moved-trades.ts';
import { isUnresolved } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { adoptOrder, noteRewound, takeSentElsewhere } from './intake/adopt.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Intake } from './intake/intake.ts';

export function createReconcilerPort(core: Core, intake: Intake, dispatcher: Dispatcher): ReconcilerPort {
  return {
    deps: core.deps,
    get state() {
      return core.state;
    },
    toldSides: core.toldSides,
    follow: (listener) => core.follow(listener),
    turn: (work) => core.turn.run(work),
    carryOut: (finding) => carryOut(core, intake, dispatcher, finding),
    settleLiquidations: (until) => intake.liquidations.settle(until),
    ownTransfers: (rows) => ownTransfers(rows, core.state.money.records(), core.deps.options.reconcile),
    told: (event) => intake.event(event),
    external: (orders) => void (core.risk.external = orders),
    adjust: (adjustment) => {
      core.spine.commit({ kind: 'adjustment', ...adjustment });
      core.workWanted = true;
    },
    flow: (flow) => core.flowed(flow),
    alarm: (code, message) => core.alarm(code, message),
    compared: (from) => {
      core.spine.hear({ kind: 'compared', from });
      core.workWanted = true;
    },
    haveRead: (to) => {
      // Waiting rows may be lost, so what they book must be polled again.
      if (core.writer.failure === undefined) core.spine.commit({ kind: 'read-to', ...to });
    },
    answer: (intentId, report, reason) => answer(core, intake, intentId, report, reason),
    rewound: (report) => noteRewound(core, report),
    takeSentElsewhere: () => takeSentElsewhere(core),
    withdrawMoved: (trades) => withdrawMoved(core, trades),
  };
}

function carryOut(core: Core, intake: Intake, dispatcher: Dispatcher, finding: Finding): boolean {
  const order = 'intentId' in finding ? core.state.orders.byIntent(finding.intentId) : undefined;
  switch (finding.kind) {
    case 'report':
      return order !== undefined && intake.applyReport(order, finding.report, 'reconcile');
    case 'fill':
      return intake.fill(finding.fill, 'reconcile');
    case 'absent':
      return order !== undefined && core.spine.commitTo(order, finding) > 0;
    case 'never-arrived':
      return order !== undefined && neverArrived(dispatcher, order, finding.evidence);
    case 'recancel':
      if (order !== undefined) dispatcher.cancel([order], false, true);
      return order !== undefined;
    case 'less':
      return order !== undefined && intake.lower(order, finding.report);
    case 'rests':
      if (order !== undefined && intake.reopen(order, finding.report)) return true;
      dispatcher.cancelUnexplained(finding.report);
      return false;
    case 'lingers':
      if (order !== undefined) dispatcher.ends.listed(order);
      return false;
    case 'foreign':
      dispatcher.cancelUnexplained(finding.report);
      return true;
    case 'adopt':
      adoptOrder(core, finding.report);
      return true;
    case 'liquidation':
      intake.liquidation(finding.report);
      return false;
    case 'external-fill':
      return intake.liquidations.fill(finding.fill, 'reconcile');
    default:
      return false;
  }
}

function neverArrived(dispatcher: Dispatcher, order: OwnOrder, evidence: Json): boolean {
  if (!isUnresolved(order.progress)) return false;
  const { intentId } = order;
  const message = 'absent: the signature window has passed and two complete polls show no trace of it';
  const state = 'never_arrived';
  dispatcher.commit(order, { kind: 'closed', intentId, state, reason: state, message, evidence });
  return true;
}

function answer(core: Core, intake: Intake, intentId: string | null, report: OrderReport, reason: string): boolean {
  const { orderId } = report;
  if (intentId === null) return core.spine.commitDurably({ kind: 'disowned', orderId, reason });
  const order = core.state.orders.byIntent(intentId);
  if (order === undefined) throw new RangeError(`no order ${intentId}`);
  if (!core.writer.commit({ kind: 'claimed', intentId, orderId, reason })) return false;
  intake.applyReport(order, report, 'reconcile');
  return true;
}
