/**
 * The only way to the venue. A create: intent row, `venue.send` at the end of the turn, and in `onDispatch`, synchronously before the
 * bytes leave: once only, not superseded, not too old, gates, a market as when it was decided, post-only, no twin, reduce-only,
 * kill latch, SENDING row durable; between the last two only other commands of the same moment are asked.
 * A cancel: intent row and SENDING row too, but neither gate nor journal nor latch may hold it back.
 * At most one send per intent: a second `onDispatch` of the same intent is denied, and so is its row in the store.
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import { asWritten } from '../model/knobs.ts';
import type { CreateIntentEntry } from '../model/journal.ts';
import type { Mutable } from '../model/mutable.ts';
import type { OrderReport, OrderRequest } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';
import type { OnDispatch } from '../model/venue.ts';
import type { Gate } from '../model/ports.ts';
import type { Core } from './core.ts';
import { isClosed, isUnresolved } from './order-machine.ts';
import type { OwnOrder } from './own-order.ts';
import { OrdersBlocked } from './orders-blocked.ts';
import { lostMarketDenial, postOnlyDenial } from './placement-checks.ts';
import { candidateOf, clientOrderIdOf, intentIdOf, textsOf, type OrderSpec } from './order-spec.ts';
import type { Candidate } from './risk/facts.ts';
import type { JudgeOptions } from './risk/exposure.ts';
import { MISBOUND } from './trading-state.ts';

type Reduction = Pick<Candidate, 'instrument' | 'positionSide' | 'side' | 'lots' | 'reduceOnly'>;

/** Orders of one batch cancel. */
const CANCEL_BATCH_MAX = 100;

/** What the comparison allows for in any case. */
const OFFSET_KEPT_MS = 1000;

const NEAR = Object.freeze({});

/** A create that the venue says it has already: the first send arrived, so its fate is a question, not a refusal. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set(['duplicate_client_order_id']);

export class Dispatcher {
  readonly #core: Core;
  /** Cancels on their way: intent id → their orders. */
  readonly #cancels = new Map<string, readonly OwnOrder[]>();
  /** Orders that no open order here explains → the cancel that is on its way. */
  readonly #unexplained = new Map<string, string>();
  readonly #blocked: OrdersBlocked;
  readonly #cancelBatchMax: number;

  constructor(core: Core) {
    this.#core = core;
    const { knobs = asWritten } = core.deps;
    this.#cancelBatchMax = knobs('cancels-per-request', CANCEL_BATCH_MAX);
    this.#blocked = new OrdersBlocked(core.deps.clock, (message) => core.alarm('orders_blocked', message));
  }

  /** Denies new risk while something before the exchange turns orders away. */
  get blockedGate(): Gate {
    return this.#blocked;
  }

  /** Journals the intent. The order is `pending`; `send` hands it over. */
  open(spec: OrderSpec, ref: string, auto: boolean): OwnOrder {
    const core = this.#core;
    const { instrument } = spec;
    const intentId = core.nextIntentId();
    const { price, quantity } = textsOf(spec);
    const exits = this.exits(spec);
    const request: Mutable<OrderRequest> = {
      market: instrument.market,
      symbol: instrument.symbol,
      side: spec.side,
      type: spec.isMarket ? 'market' : 'limit',
      timeInForce: spec.timeInForce,
      price,
      quantity,
      clientOrderId: clientOrderIdOf(intentId),
    };
    if (instrument.market === 'derivative') {
      request.positionSide = spec.positionSide;
      request.reduceOnly = exits;
    }
    const entry: Mutable<CreateIntentEntry> = {
      kind: 'intent',
      command: 'create',
      intentId,
      strategy: spec.slot.tag,
      ref,
      auto,
      tag: spec.tag,
      origin: spec.origin,
      order: request,
      reduceOnly: spec.reduceOnly,
      postOnly: spec.postOnly,
    };
    if (spec.reduceOnly && !exits) entry.newRisk = true;
    if (spec.shrunk === true) {
      entry.shrunk = true;
      core.count(spec.slot.tag, 'shrunk');
    }
    if (core.deps.explains === true && !exits) entry.risk = core.risk.figures(candidateOf(spec, exits), core.now());
    core.putInstrument(instrument);
    core.put(entry);
    const mid = core.deps.market.mid(instrument.symbol) ?? null;
    const order = core.state.openOrder(entry, instrument, spec.ticks, spec.lots, core.now(), mid);
    order.createdWall = core.deps.wall?.() ?? 0;
    if (spec.decidedAt !== undefined) order.decidedAt = spec.decidedAt;
    core.tell(order);
    return order;
  }

  /** Whether it is no new risk now. */
  exits(order: Reduction, options: JudgeOptions = { ignoreCanceling: false }): boolean {
    return order.reduceOnly && order.lots <= this.#core.risk.reducible(order, options);
  }

  send(order: OwnOrder): void {
    const core = this.#core;
    order.handed = true;
    core.risk.countMessage(order.strategy, core.now(), order);
    core.surveillance.sent(order, core.now());
    const { intentId, request, decidedAt } = order;
    const lane = order.exits ? 'reduce' : 'create';
    core.outgoing.add({ kind: 'create', intentId, lane, order: request, decidedAt }, () => this.#release(order));
  }

  /** Closes an order that has not left. One that waits in a lane of the venue is denied there by `#release`. */
  drop(order: OwnOrder, reason: Denied): void {
    const before = order.progress.state;
    const flags = this.#core.state.close(order, 'denied', reason.reason, reason.message);
    if (flags <= 0) return;
    this.#core.put({
      kind: 'closed',
      intentId: order.intentId,
      state: 'denied',
      reason: reason.reason,
      message: reason.message,
    });
    this.#core.changed(order, before, flags);
    if (reason.reason !== 'superseded') this.#tellDenied(order, reason);
  }

  /** Makes orders go: at once where the venue's id is known, else as soon as it is. */
  cancel(orders: readonly OwnOrder[], batch: boolean): void {
    const ready: OwnOrder[] = [];
    for (const order of orders) {
      if (isClosed(order.progress)) continue;
      order.cancelWanted = true;
      if (!order.handed && !order.progress.sent) {
        this.drop(order, denied('superseded', `${order.ref} was withdrawn before it was sent`));
      } else if (order.orderId !== undefined && order.cancelIntent === undefined && !order.cancelDoubt) {
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
   * An order at the venue that bears our mark and that no open order here explains: it goes, by the venue's id, and is asked
   * for again by the next comparison that shows it.
   */
  cancelUnexplained({ orderId, clientOrderId, symbol, market }: OrderReport): void {
    if (this.#unexplained.has(orderId)) return;
    const core = this.#core;
    const intentId = core.nextIntentId();
    core.state.intentCount++;
    const target = intentIdOf(clientOrderId) ?? orderId;
    core.put({ kind: 'intent', command: 'cancel', intentId, targets: [target] });
    this.#cancels.set(intentId, []);
    this.#unexplained.set(orderId, intentId);
    const lane = core.kill.on ? 'kill' : 'cancel';
    core.outgoing.add({ kind: 'cancel', intentId, lane, symbol, market, orderId }, () => this.#leaveAnyway(intentId));
  }

  /** `order`: whose create the intent is. True when the intent was known here. */
  outcome(intentId: string, order: OwnOrder | undefined, outcome: Outcome): boolean {
    this.#blocked.answered(outcome);
    // Most outcomes are of creates: no hash of an id that is made once.
    const cancels = this.#cancels.size === 0 ? undefined : this.#cancels.get(intentId);
    if (cancels !== undefined) {
      this.#cancelOutcome(intentId, cancels, outcome);
      return true;
    }
    if (order === undefined) return false;
    this.#createOutcome(order, outcome);
    return true;
  }

  #release(order: OwnOrder): ReturnType<OnDispatch> {
    const core = this.#core;
    const { progress } = order;
    if (progress.sent || order.leaving)
      return denied('duplicate_order', `${order.ref} has been handed over once already`);
    if (isClosed(progress) || order.cancelWanted)
      return denied('superseded', `${order.ref} was withdrawn before it was sent`);
    const age = this.#ageOf(order);
    const stopped = this.#stopped(order, age);
    if (stopped !== null) return stopped;
    const offsetMs = this.#offsetMs();
    const far = offsetMs === 0 ? NEAR : { offsetMs };
    const committed = core.writer.allowing({ kind: 'sending', intentId: order.intentId, ...far });
    order.leaving = true;
    return () => {
      order.leaving = false;
      if (!committed())
        return denied('journal_failed', core.writer.failure?.message ?? 'the journal cannot be written');
      core.state.sending(order, core.now(), offsetMs);
      // The disk, or a machine that slept, took its time: what was asked before is old.
      const late = this.#ageOf(order);
      const stoppedSince = late > age ? this.#stopped(order, late) : null;
      if (stoppedSince !== null) return stoppedSince;
      core.count(order.strategy, 'submitted');
      return 'go';
    };
  }

  /** Why it must not leave now. `age`: ms since its decision. */
  #stopped(order: OwnOrder, age: number): Denied | null {
    const core = this.#core;
    const { progress, instrument } = order;
    const ttl = core.deps.options.risk.intentTtlMs;
    if (age > ttl) return denied('expired', `${order.ref} waited ${Math.round(age)} ms, longer than ${ttl} ms`);
    // What it was to reduce may have gone while it waited: then it is new risk, and limits have counted it as it is.
    const exits =
      order.reduceOnly && progress.lots <= core.risk.reducible(order, { ignoreCanceling: false, except: order });
    const stopped =
      core.gates.denial(instrument.symbol, exits ? instrument.market : null) ??
      lostMarketDenial(core.deps.market, order, exits) ??
      postOnlyDenial(core.deps.market, order) ??
      this.#twinDenial(order);
    return stopped ?? core.kill.denial(exits);
  }

  /** What the exchange stamps on an order that leaves now differs so much from ours; 0 where nobody need remember it. */
  #offsetMs(): number {
    const offsetMs = Math.round(this.#core.deps.venue.clockOffsetMs?.() ?? 0);
    return Math.abs(offsetMs) < OFFSET_KEPT_MS ? 0 : offsetMs;
  }

  /** Since the decision, ms: the session's clock stands still while the machine sleeps, and its wall clock may be set. */
  #ageOf({ createdAt, createdWall }: OwnOrder): number {
    const { wall } = this.#core.deps;
    const age = this.#core.now() - createdAt;
    return wall === undefined || createdWall === 0 ? age : Math.max(age, wall() - createdWall);
  }

  /**
   * Without client order ids an order of unknown fate is found by its terms alone, so nothing leaves that looks the same as
   * one whose fate is open: either could be taken for the other. An exit is not held back.
   */
  #twinDenial(order: OwnOrder): Denied | null {
    const { venue } = this.#core.deps;
    if (venue.clientOrderIds || order.exits) return null;
    for (const other of this.#core.state.orders.live(order.instrument.symbol)) {
      if (other === order || other.orderId !== undefined || !isTwin(order, other)) continue;
      if (!isUnresolved(other.progress) && !other.leaving) continue;
      return denied('duplicate_order', `${order.ref} looks the same as ${other.ref}, whose fate is not known yet`);
    }
    return null;
  }

  #sendCancel(orders: readonly OwnOrder[]): void {
    const core = this.#core;
    const [first] = orders;
    if (first?.orderId === undefined) return;
    const intentId = core.nextIntentId();
    core.state.intentCount++;
    core.put({ kind: 'intent', command: 'cancel', intentId, targets: orders.map((order) => order.intentId) });
    this.#cancels.set(intentId, orders);
    const lane = core.kill.on ? 'kill' : 'cancel';
    for (const order of orders) {
      const before = order.progress.state;
      order.cancelIntent = intentId;
      core.changed(order, before, core.state.canceling(order, true));
      core.risk.countMessage(order.strategy, core.now());
      core.surveillance.canceled(order, core.now());
    }
    const release: OnDispatch = () => this.#releaseCancel(intentId, orders);
    if (orders.length === 1) {
      const { symbol, market } = first.instrument;
      core.outgoing.add({ kind: 'cancel', intentId, lane, symbol, market, orderId: first.orderId }, release);
      return;
    }
    const orderIds = orders.flatMap((order) => (order.orderId === undefined ? [] : [order.orderId]));
    core.outgoing.add({ kind: 'cancelMany', intentId, lane, orderIds }, release);
  }

  #releaseCancel(intentId: string, orders: readonly OwnOrder[]): ReturnType<OnDispatch> {
    if (orders.every((order) => isClosed(order.progress))) return denied('superseded', 'the orders are closed already');
    return this.#leaveAnyway(intentId);
  }

  /** A failed journal is told by its alarm; it never keeps an order at the exchange. */
  #leaveAnyway(intentId: string): () => 'go' {
    const committed = this.#core.writer.allowing({ kind: 'sending', intentId });
    return () => {
      committed();
      return 'go';
    };
  }

  #createOutcome(order: OwnOrder, told: Outcome): void {
    const core = this.#core;
    const before = order.progress.state;
    const outcome: Outcome =
      told.kind === 'refused' && DUPLICATE_CODES.has(told.code)
        ? { kind: 'unknown', reason: `the venue has it already: ${told.message}` }
        : told;
    const flags = core.state.outcome(order, outcome, core.now());
    if (flags === MISBOUND) {
      core.alarm('contradiction', `${order.ref}: the answer names an order id that belongs to another order`);
      core.onDoubt('an answer names a foreign order id');
      return;
    }
    if (flags > 0) core.put({ kind: 'outcome', intentId: order.intentId, outcome });
    core.changed(order, before, flags);
    if (outcome.kind === 'denied' && flags > 0) this.#tellDenied(order, outcome.denied);
    if (order.progress.state === 'unknown') core.onDoubt(`${order.ref} is unknown`);
  }

  /** `changed` has counted it already. */
  #tellDenied(order: OwnOrder, reason: Denied): void {
    const { strategy, ref, instrument, origin } = order;
    const event = {
      kind: 'denied',
      ts: this.#core.now(),
      strategy,
      action: origin,
      symbol: instrument.symbol,
      ref,
      denied: reason,
    } as const;
    this.#core.turn.emit(Object.freeze(event));
  }

  #cancelOutcome(intentId: string, orders: readonly OwnOrder[], outcome: Outcome): void {
    const core = this.#core;
    this.#cancels.delete(intentId);
    if (this.#unexplained.size > 0)
      for (const [orderId, ofIt] of this.#unexplained) if (ofIt === intentId) this.#unexplained.delete(orderId);
    core.put({ kind: 'outcome', intentId, outcome });
    for (const order of orders) {
      if (order.cancelIntent === intentId) order.cancelIntent = undefined;
      if (outcome.kind === 'accepted') this.#cancelAccepted(order, outcome);
      else this.#cancelFailed(order, outcome);
    }
  }

  /** Only a report that says so closes an order; an acknowledgement alone may be without effect (O12). */
  #cancelAccepted(order: OwnOrder, outcome: Extract<Outcome, { kind: 'accepted' }>): void {
    const core = this.#core;
    const before = order.progress.state;
    if (outcome.order !== undefined && outcome.order.orderId === order.orderId) {
      const flags = core.state.report(order, outcome.order, core.now());
      if (flags > 0) core.put({ kind: 'order', intentId: order.intentId, report: outcome.order, source: 'stream' });
      core.changed(order, before, flags);
    }
    if (isClosed(order.progress)) return;
    const named =
      outcome.canceled === undefined || (order.orderId !== undefined && outcome.canceled.includes(order.orderId));
    if (named) {
      order.cancelDoubt = true;
      core.onDoubt(`the cancel of ${order.ref} is acknowledged, not proved`);
    } else {
      this.#cancelFailed(order, { kind: 'refused', code: 'not_canceled', message: 'not among the cancelled orders' });
    }
  }

  /** The order may be filled, gone or still there: the reconciler looks, and cancels again if it is still there. */
  #cancelFailed(order: OwnOrder, outcome: Outcome): void {
    const core = this.#core;
    if (isClosed(order.progress)) return;
    order.cancelDoubt = true;
    const before = order.progress.state;
    core.changed(order, before, core.state.canceling(order, false));
    core.onDoubt(`the cancel of ${order.ref} ended ${outcome.kind}`);
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
