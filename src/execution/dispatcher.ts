/**
 * The only way of orders to the venue: the intent row, then `venue.send` at the end of the turn. An intent is sent at
 * most once. A second `onDispatch` is denied, and the store refuses a second row.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import { asWritten } from '../model/knobs.ts';
import type { CancelIntentEntry } from '../model/entries/journal.ts';
import type { SendingEntry } from '../model/entries/order-entries.ts';
import type { OrderReport, OrderState } from '../model/trading/order.ts';
import type { Outcome } from '../model/result.ts';
import type { Core } from './core.ts';
import { reducibleLots } from '../risk/exits.ts';
import type { DepartureRules, Intent } from '../spine/departures.ts';
import { CONTRADICTION, filledLots, isClosed, isUnresolved, LATE, OVERFILL } from '../spine/orders/order-machine.ts';
import type { OrderLifeEntry } from '../spine/spine.ts';
import { countEnd } from '../spine/orders/order-counters.ts';
import { isCanceling, type OwnOrder } from '../spine/orders/own-order.ts';
import { ANSWERED, EndsInDoubt } from './intake/ends-in-doubt.ts';
import { OrdersBlocked } from './venue-gates.ts';
import { lostMarketDenial, postOnlyDenial } from './rules/placement-checks.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import { MISBOUND } from '../spine/trading-state.ts';

const CANCEL_BATCH_MAX = 100;

/** A smaller clock skew is not journalled. */
const OFFSET_KEPT_MS = 1000;

interface CancelIntent extends Intent {
  readonly orders: readonly OwnOrder[];
  /** The venue's id, for `cancelUnexplained`. */
  readonly unexplained: string | undefined;
}

/** A failed journal, age, gate or kill switch never holds back a cancel. */
const cancelRules: DepartureRules<CancelIntent, SendingEntry> = {
  ttlMs: Number.POSITIVE_INFINITY,
  nameOf: ({ intentId }) => intentId,
  spent: ({ orders }) =>
    orders.length > 0 && orders.every((order) => isClosed(order.progress))
      ? denied('superseded', 'the orders are closed already')
      : null,
  stopped: () => null,
  sending: ({ intentId }) => ({ kind: 'sending', intentId }),
  isFree: () => true,
};

export class Dispatcher {
  readonly #core: Core;
  /** In flight, by intent id. */
  readonly #cancels = new Map<string, CancelIntent>();
  readonly blocked: OrdersBlocked;
  readonly ends: EndsInDoubt;
  readonly #creates: DepartureRules<OwnOrder, SendingEntry>;
  readonly #cancelBatchMax: number;

  constructor(core: Core) {
    this.#core = core;
    const { knobs = asWritten } = core.deps;
    this.#cancelBatchMax = knobs('cancels-per-request', CANCEL_BATCH_MAX);
    this.blocked = new OrdersBlocked(core);
    this.ends = new EndsInDoubt(core);
    this.#creates = {
      ttlMs: core.deps.options.risk.intentTtlMs,
      nameOf: ({ ref }) => ref,
      spent: (order) => {
        const { progress, ref } = order;
        if (progress.sent || order.leaving)
          return denied('duplicate_order', `${ref} has been handed over once already`);
        if (isClosed(progress) || order.cancelWanted)
          return denied('superseded', `${ref} was withdrawn before it was sent`);
        return null;
      },
      stopped: (order) => this.#stopped(order),
      sending: (order) => this.#sendingOf(order),
      isFree: () => false,
      left: (order, sending) => core.spine.leave(order, sending),
      went: ({ strategy }) => core.counters(strategy).submitted++,
    };
  }

  send(order: OwnOrder): void {
    const core = this.#core;
    order.handed = true;
    core.risk.countMessage(order.strategy, core.now(), order);
    core.surveillance.sent(order, core.now());
    const { intentId, request, decidedAt, strategy, parent } = order;
    const lane = order.exits ? 'reduce' : 'create';
    const isExit = order.reduceOnly || parent !== undefined;
    const onBars = isExit ? { ...order.onBars, exitOf: { strategy, program: parent } } : undefined;
    core.departures.send({ kind: 'create', intentId, lane, order: request, decidedAt, onBars }, this.#creates, order);
  }

  /** Closes an order that was not sent. One in a lane of the venue is denied there. */
  drop(order: OwnOrder, reason: Denied): void {
    const { intentId } = order;
    const { reason: code, message } = reason;
    const flags = this.commit(order, { kind: 'closed', intentId, state: 'denied', reason: code, message });
    if (flags > 0 && code !== 'superseded') this.#tellDenied(order, reason);
  }

  /** Cancels as soon as the venue's id is known. `again`: also orders whose last cancel had no effect. */
  cancel(orders: readonly OwnOrder[], batch: boolean, again = false): void {
    const ready: OwnOrder[] = [];
    for (const order of orders) {
      if (isClosed(order.progress)) continue;
      if (!order.handed && !order.progress.sent) {
        this.drop(order, denied('superseded', `${order.ref} was withdrawn before it was sent`));
      } else if (order.orderId === undefined) {
        this.#core.spine.commitTo(order, { kind: 'cancel-wanted', intentId: order.intentId });
      } else if (order.cancel === 'none' || (again && order.cancel !== 'sent')) {
        ready.push(order);
      }
    }
    if (!batch || ready.length === 1) {
      for (const order of ready) this.#sendCancel([order]);
      return;
    }
    for (let from = 0; from < ready.length; from += this.#cancelBatchMax)
      this.#sendCancel(ready.slice(from, from + this.#cancelBatchMax));
  }

  /**
   * Cancels an order that has our prefix but belongs to no open order here. Each later reconciliation pass that shows
   * it asks again.
   */
  cancelUnexplained({ orderId, clientOrderId, symbol, market }: OrderReport): void {
    for (const { unexplained } of this.#cancels.values()) if (unexplained === orderId) return;
    const intent = this.#cancelIntent([intentIdOf(clientOrderId) ?? orderId], [], orderId);
    this.#leave(intent, { symbol, market }, [orderId]);
  }

  /** Cancels an order whose end was reported by the exchange and confirmed by no list. The report may be false. */
  cancelCalledOver(order: OwnOrder): void {
    const { orderId, intentId, instrument } = order;
    if (orderId === undefined) return;
    this.#leave(this.#cancelIntent([intentId], [], orderId, [order]), instrument, [orderId]);
  }

  /** False when the intent is unknown here. */
  outcome(intentId: string, order: OwnOrder | undefined, outcome: Outcome): boolean {
    this.blocked.answered(outcome);
    const cancel = this.#cancels.size === 0 ? undefined : this.#cancels.get(intentId);
    if (cancel !== undefined) {
      this.#cancelOutcome(cancel, outcome);
      return true;
    }
    if (order === undefined) return false;
    this.#createOutcome(order, outcome);
    return true;
  }

  /** Flags of the order machine, or `MISBOUND`. */
  commit(order: OwnOrder, entry: OrderLifeEntry): number {
    const before = order.progress.state;
    const flags = this.#core.spine.commitTo(order, entry);
    this.changed(order, before, flags);
    return flags;
  }

  /**
   * Follow-ups of a change: alarms, counts, the order event, and a cancel that waited for it. `flags`: of the order
   * machine.
   */
  changed(order: OwnOrder, before: OrderState, flags: number): void {
    if (flags <= 0) return;
    const core = this.#core;
    const { state } = order.progress;
    if ((flags & (CONTRADICTION | LATE)) !== 0) this.ends.false(order);
    if (state !== before && isClosed(order.progress)) this.ends.ended(order);
    if ((flags & CONTRADICTION) !== 0) this.#correct(order, before);
    if ((flags & OVERFILL) !== 0) this.#overfilled(order);
    if ((flags & LATE) !== 0) core.alarm('late_fill', `${order.ref}: a fill came after it was ${before}`);
    if (state !== before) this.#counted(order, before);
    core.orderMoved(order);
    if (order.cancelWanted && !isClosed(order.progress)) this.cancel([order], false);
  }

  #stopped(order: OwnOrder): Denied | null {
    const core = this.#core;
    const { progress, instrument } = order;
    // The position to reduce may be gone by now. Then the order is new risk.
    const exits =
      order.reduceOnly && progress.lots <= reducibleLots(order, core.state, { ignoreCanceling: false, except: order });
    const stopped =
      core.gates.denial(instrument.symbol, exits ? instrument.market : null) ??
      lostMarketDenial(core.deps.market, order, exits) ??
      postOnlyDenial(core.deps.market, order) ??
      this.#twinDenial(order);
    return stopped ?? core.kill.denial(exits);
  }

  /** Includes the clock skew (exchange minus this machine, ms) unless it is small. */
  #sendingOf({ intentId }: OwnOrder): SendingEntry {
    const offsetMs = Math.round(this.#core.deps.venue.clockOffsetMs?.() ?? 0);
    return Math.abs(offsetMs) < OFFSET_KEPT_MS
      ? { kind: 'sending', intentId }
      : { kind: 'sending', intentId, offsetMs };
  }

  /**
   * Without client order ids an unknown order is found by its terms. So a second order with the same terms must wait,
   * unless it is an exit.
   */
  #twinDenial(order: OwnOrder): Denied | null {
    const { venue } = this.#core.deps;
    if (venue.clientOrderIds || order.exits) return null;
    for (const other of this.#core.state.orders.live(order.instrument.symbol)) {
      if (other === order || other.orderId !== undefined || !isTwin(order, other)) continue;
      if (!isUnresolved(other.progress) && !other.leaving) continue;
      return denied('duplicate_order', `${order.ref} has the same terms as ${other.ref}, whose outcome is unknown`);
    }
    return null;
  }

  /** `named`: own orders that identify it. */
  #cancelIntent(
    targets: readonly string[],
    orders: readonly OwnOrder[],
    unexplained?: string,
    named = orders,
  ): CancelIntent {
    const core = this.#core;
    const intentId = core.nextIntentId();
    core.spine.cancel({ kind: 'intent', command: 'cancel', intentId, targets, ...refsOf(named) });
    const { createdAt, createdWall, leaving } = core.departures.decidedNow();
    const intent = { intentId, orders, unexplained, createdAt, createdWall, leaving };
    this.#cancels.set(intentId, intent);
    return intent;
  }

  #sendCancel(orders: readonly OwnOrder[]): void {
    const core = this.#core;
    const [first] = orders;
    if (first === undefined) return;
    const targets = orders.map((order) => order.intentId);
    const intent = this.#cancelIntent(targets, orders);
    const orderIds: string[] = [];
    for (const order of orders) {
      if (order.orderId !== undefined) orderIds.push(order.orderId);
      this.#setCancel(order, 'sent');
      core.risk.countMessage(order.strategy, core.now());
      core.surveillance.canceled(order, core.now());
    }
    this.#leave(intent, first.instrument, orderIds);
  }

  #leave(intent: CancelIntent, of: Pick<OrderReport, 'symbol' | 'market'>, orderIds: readonly string[]): void {
    const { kill, departures } = this.#core;
    const { intentId } = intent;
    const lane = kill.on ? 'kill' : 'cancel';
    const [orderId = ''] = orderIds;
    const { symbol, market } = of;
    if (orderIds.length === 1)
      departures.send({ kind: 'cancel', intentId, lane, symbol, market, orderId }, cancelRules, intent);
    else departures.send({ kind: 'cancelMany', intentId, lane, orderIds }, cancelRules, intent);
  }

  #createOutcome(order: OwnOrder, told: Outcome): void {
    const core = this.#core;
    // The first send arrived, so the outcome is unknown, not refused.
    const outcome: Outcome =
      told.kind === 'refused' && told.code === 'duplicate_client_order_id'
        ? { kind: 'unknown', reason: `the venue already has an order with this id: ${told.message}` }
        : told;
    const flags = this.commit(order, { kind: 'outcome', intentId: order.intentId, outcome });
    if (flags === MISBOUND) {
      core.alarm('contradiction', `${order.ref}: the answer names an order id that belongs to another order`);
      core.doubt('an answer names a foreign order id');
      return;
    }
    if (outcome.kind === 'denied' && flags > 0) this.#tellDenied(order, outcome.denied);
    if (order.progress.state === 'unknown') core.doubt(`${order.ref} is unknown`);
  }

  #tellDenied({ strategy, ref, instrument, origin, parent }: OwnOrder, reason: Denied): void {
    const { symbol } = instrument;
    const program = parent === undefined ? undefined : this.#core.state.programs.of(strategy, parent);
    const action = origin === 'program' ? (program?.kind ?? 'place') : origin;
    const ts = this.#core.now();
    this.#core.turn.emit({ kind: 'denied', ts, strategy, action, symbol, ref, denied: reason });
  }

  #cancelOutcome({ intentId, orders }: CancelIntent, outcome: Outcome): void {
    const core = this.#core;
    this.#cancels.delete(intentId);
    core.put({ kind: 'outcome', intentId, outcome });
    for (const order of orders) {
      if (outcome.kind === 'accepted') this.#cancelAccepted(order, outcome);
      else this.#cancelFailed(order, outcome);
    }
  }

  /** An acknowledgement may be without effect (O12), so only a report closes the order. */
  #cancelAccepted(order: OwnOrder, outcome: Extract<Outcome, { kind: 'accepted' }>): void {
    const core = this.#core;
    if (outcome.order !== undefined && outcome.order.orderId === order.orderId && !this.ends.wasFalse(order))
      this.commit(order, { kind: 'order', intentId: order.intentId, report: outcome.order, source: 'stream' });
    const named =
      outcome.canceled === undefined || (order.orderId !== undefined && outcome.canceled.includes(order.orderId));
    if (isClosed(order.progress)) {
      order.cancel = 'none';
      if (named) this.ends.heard(order, ANSWERED);
      return;
    }
    if (named) {
      this.#setCancel(order, 'acknowledged');
      core.doubt(`the cancel of ${order.ref} is acknowledged, not confirmed`);
    } else {
      this.#cancelFailed(order, { kind: 'refused', code: 'not_canceled', message: 'not among the cancelled orders' });
    }
  }

  /** The reconciler checks the order and cancels again. */
  #cancelFailed(order: OwnOrder, outcome: Outcome): void {
    const core = this.#core;
    if (isClosed(order.progress)) {
      order.cancel = 'none';
      return;
    }
    this.#setCancel(order, 'failed');
    core.doubt(`the cancel of ${order.ref} ended ${outcome.kind}`);
    core.signal({ kind: 'uncanceled', intentId: order.intentId });
  }

  /** Halts the symbol (reliability O23). */
  #overfilled(order: OwnOrder): void {
    const core = this.#core;
    const { instrument, progress, ref } = order;
    const filled = instrument.quantityOf(filledLots(progress));
    const what = `${ref}: more was filled than ordered (${filled} of ${instrument.quantityOf(progress.lots)})`;
    core.alarm('overfill', what);
    core.doubt(what);
    core.halt(instrument.symbol, what);
  }

  #correct(order: OwnOrder, before: OrderState): void {
    const to = order.progress.state;
    const cause = `the venue shows an order that was concluded to be ${before}`;
    this.#core.put({ kind: 'correction', intentId: order.intentId, from: before, to, cause });
    this.#core.alarm('contradiction', `${order.ref}: ${cause}; it is ${to}`);
  }

  #counted(order: OwnOrder, before: OrderState): void {
    const core = this.#core;
    const { state } = order.progress;
    if (!order.counted && order.ackedAt !== 0 && state !== 'rejected') {
      order.counted = true;
      core.counters(order.strategy).accepted++;
      core.risk.accepted(order);
    }
    countEnd(core.counters(order.strategy), before, state);
    if (state === 'rejected') core.risk.rejected(order, order.reason ?? 'rejected', core.now());
  }

  #setCancel(order: OwnOrder, cancel: OwnOrder['cancel']): void {
    const wasCanceling = isCanceling(order);
    order.cancel = cancel;
    if (isCanceling(order) === wasCanceling) return;
    this.#core.tell(order);
    this.#core.workWanted = true;
  }
}

function isTwin(one: OwnOrder, other: OwnOrder): boolean {
  return (
    one.side === other.side &&
    one.isMarket === other.isMarket &&
    one.positionSide === other.positionSide &&
    one.ticks === other.ticks &&
    one.progress.lots === other.progress.lots
  );
}

function refsOf(orders: readonly OwnOrder[]): Pick<CancelIntentEntry, 'ref' | 'refs'> {
  const [first] = orders;
  if (first === undefined) return {};
  return orders.length === 1 ? { ref: first.ref } : { ref: first.ref, refs: orders.map(({ ref }) => ref) };
}
