/** What the handlers share, and the follow-up of every change of an order. */
import type { Balance, CashFlow, VenuePosition } from '../model/account.ts';
import type { Denied } from '../model/deny-reason.ts';
import type { Action } from '../model/action.ts';
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import type { JournalEntry } from '../model/journal.ts';
import type { OrderState, OrderUpdate } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { Balances } from '../spine/balances.ts';
import { Departures } from '../spine/departures.ts';
import { executionErrors } from './errors.ts';
import type { AlarmCode } from '../spine/events.ts';
import type { ExecutorDeps } from './executor-types.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { plainJson } from '../model/canonical.ts';
import { JournalWriter } from '../journal/journal-writer.ts';
import { gridLimits, type GridLimits } from '../risk/normalise.ts';
import { countEnd, zeroCounters, type OrderCounters } from '../spine/orders/order-counters.ts';
import { CONTRADICTION, filledLots, isClosed, LATE, OVERFILL } from '../spine/orders/order-machine.ts';
import { Outgoing } from './outgoing.ts';
import { orderUpdate, type OwnOrder } from '../spine/orders/own-order.ts';
import { restoredGate } from '../risk/restored-gate.ts';
import { haltGate } from '../risk/halts.ts';
import { RiskService } from '../risk/service.ts';
import { Gates } from '../risk/gates.ts';
import { KillSwitch } from '../risk/kill-switch.ts';
import { Surveillance } from '../risk/surveillance.ts';
import { Valuation } from '../risk/losses/valuation.ts';
import { Spine } from '../spine/spine.ts';
import { ToldSides } from './told-sides.ts';
import { cashFlowKey, type StateView, type TradingState } from '../spine/trading-state.ts';
import { Turn } from '../spine/turn.ts';

/** Waits for orders to close or fill; called in each round of a turn. */
export interface Worker {
  work(): void;
}

const WORK_ROUNDS_MAX = 1_000;

export class Core {
  readonly deps: ExecutorDeps;
  readonly slots = new Map<string, StrategySlot>();
  readonly balances = new Balances();
  readonly venuePositions = new Map<string, VenuePosition>();
  /** By symbol, as last told; stays in force after the position is closed. */
  readonly leverages = new Map<string, number>();
  readonly writer: JournalWriter;
  readonly spine: Spine;
  readonly departures: Departures;
  readonly turn: Turn;
  readonly gates: Gates;
  readonly kill = new KillSwitch();
  readonly surveillance: Surveillance;
  readonly toldSides = new ToldSides();
  readonly outgoing: Outgoing;
  readonly workers: Worker[] = [];
  readonly total: OrderCounters = zeroCounters();
  readonly stopping = new Set<string>();
  /** Intent ids of live orders with a cancel on its way, or acknowledged without effect yet. */
  readonly canceling = new Set<string>();
  /** `<strategy> <symbol>` of each flatten that is not done. */
  readonly flattening = new Set<string>();
  risk: RiskService;
  workWanted = false;
  /** Symbols whose positions have moved since the handlers last looked. */
  readonly moved = new Set<string>();
  /** Only the reconciler can settle this. */
  onDoubt: (reason: string) => void = () => {};
  /** A poll should confirm the symbol's fills before more risk is taken there. */
  onUnproved: (symbol: string) => void = () => {};
  onBooked: (fill: VenueFill) => void = () => {};
  /** The private stream named an order that is not known. */
  onUnowned: (orderId: string) => void = () => {};
  /** First use of the symbol in this process. */
  onTraded: (symbol: string) => void = () => {};
  /** Rows of any account. */
  onBalances: (rows: readonly Balance[]) => void = () => {};
  streamReady = false;
  onStream: (event: Extract<VenueEvent, { kind: 'stream' }>) => void = () => {};
  onLatched: (strategy: string) => void = () => {};
  onHalted: (symbol: string) => void = () => {};
  /** An order that should go can be cancelled now. */
  onCancelable: (order: OwnOrder) => void = () => {};
  readonly #counters = new Map<string, OrderCounters>();
  readonly #grids = new Map<Instrument, GridLimits>();
  readonly #written = new Set<string>();

  constructor(deps: ExecutorDeps) {
    this.deps = deps;
    this.outgoing = new Outgoing(deps.venue);
    for (const slot of deps.strategies) {
      if (this.slots.has(slot.tag))
        throw executionErrors.make('duplicate_strategy', `two strategies have the tag "${slot.tag}"`, {
          tag: slot.tag,
        });
      this.slots.set(slot.tag, slot);
      this.#counters.set(slot.tag, zeroCounters());
    }
    this.writer = new JournalWriter(deps.journal, deps.clock, (error) => this.alarm('journal_failed', error.message));
    this.spine = new Spine(this.writer, deps.clock, deps.instruments);
    this.departures = new Departures(this.writer, deps.clock, deps.wall);
    this.gates = new Gates(
      [this.writer.gate, restoredGate(() => this.state), haltGate(() => this.state), ...deps.gates],
      (entry) => {
        this.put(entry);
        this.turn.emit(Object.freeze({ kind: 'gate', ts: this.now(), entry: Object.freeze(entry) }));
      },
    );
    this.turn = new Turn(
      () => this.#settle(),
      (message) => this.alarm('listener_failed', message),
    );
    this.risk = this.#makeRisk();
    this.surveillance = new Surveillance(deps.options.risk.surveillance, {
      live: (symbol) => this.state.orders.live(symbol),
      warn: (_strategy, message) => this.alarm('surveillance', message),
    });
  }

  adopt(state: TradingState): void {
    this.spine.adopt(state);
    this.risk = this.#makeRisk();
    this.risk.restore(this.now());
    for (const symbol of state.orders.symbols()) this.moved.add(symbol);
    if (state.killReason !== undefined) this.kill.latch(state.killReason);
  }

  get state(): StateView {
    return this.spine.state;
  }

  now(): number {
    return this.deps.clock.now();
  }

  slot(tag: string): StrategySlot {
    const slot = this.slots.get(tag);
    if (slot === undefined) throw executionErrors.make('unknown_strategy', `no strategy has the tag "${tag}"`, { tag });
    return slot;
  }

  grid(instrument: Instrument): GridLimits {
    let limits = this.#grids.get(instrument);
    if (limits === undefined) this.#grids.set(instrument, (limits = gridLimits(instrument)));
    return limits;
  }

  counters(tag: string): OrderCounters {
    let counters = this.#counters.get(tag);
    if (counters === undefined) this.#counters.set(tag, (counters = zeroCounters()));
    return counters;
  }

  count(tag: string, name: keyof OrderCounters): void {
    this.counters(tag)[name]++;
    this.total[name]++;
  }

  put(entry: JournalEntry): void {
    this.writer.put(entry);
  }

  /** Journals the symbol's grid before its first intent of this process. */
  putInstrument(instrument: Instrument): void {
    if (this.#written.has(instrument.symbol)) return;
    this.#written.add(instrument.symbol);
    this.put({ kind: 'instrument', spec: instrument.spec });
    this.onTraded(instrument.symbol);
  }

  nextIntentId(): string {
    return `${this.deps.bootId}-${this.state.intentCount + 1}`;
  }

  alarm(code: AlarmCode, message: string): void {
    this.deps.logger.error({ alarm: code }, message);
    this.put({ kind: 'alarm', code, message });
    this.turn.emit(Object.freeze({ kind: 'alarm', ts: this.now(), code, message }));
  }

  deny(strategy: string, action: Action['kind'], reason: Denied, symbol?: string, ref?: string, auto = false): void {
    this.count(strategy, 'denied');
    const where = { ...(symbol === undefined ? {} : { symbol }), ...(ref === undefined ? {} : { ref }) };
    this.put({
      kind: 'denial',
      strategy,
      action,
      reason: reason.reason,
      message: reason.message,
      ...where,
      ...(auto ? { auto } : {}),
      ...(reason.figures === undefined ? {} : { risk: reason.figures }),
    });
    this.turn.emit(Object.freeze({ kind: 'denied', ts: this.now(), strategy, action, ...where, denied: reason }));
  }

  /** No new risk of the strategy until a human enables it. */
  latch(strategy: string, reason: string): void {
    this.spine.commit({ kind: 'latch', strategy, on: true, reason });
    this.alarm('strategy_latched', `${strategy} is latched: ${reason}`);
    this.onLatched(strategy);
  }

  /** Books money that moved without a trade, once per id. */
  flowed(flow: CashFlow): void {
    if (this.state.isBooked(cashFlowKey(flow.id))) return;
    const value = this.risk.flowed(flow.currency, Number(flow.amount), flow.at);
    this.spine.commit({ kind: 'cash-flow', ...flow, value: value === null ? null : String(value) });
    this.turn.emit(Object.freeze({ kind: 'cash-flow', flow: Object.freeze({ ...flow }), value }));
  }

  note(strategy: string, text: string, data?: unknown): void {
    const shown = data === undefined ? {} : { data: plainJson(data) };
    this.put({ kind: 'note', strategy, text, ...shown });
    this.turn.emit(Object.freeze({ kind: 'note', ts: this.now(), strategy, text, ...shown }));
  }

  decision(strategy: string, action: Action): void {
    if (this.writer.keeps) this.put({ kind: 'decision', strategy, action: plainJson(action) });
  }

  updateOf(order: OwnOrder): OrderUpdate {
    return orderUpdate(order, this.now(), this.canceling.has(order.intentId));
  }

  tell(order: OwnOrder): void {
    if (this.turn.heard)
      this.turn.emit(Object.freeze({ kind: 'order', strategy: order.strategy, order: this.updateOf(order) }));
  }

  markCanceling(order: OwnOrder, canceling: boolean): void {
    const { intentId } = order;
    if (this.canceling.has(intentId) === canceling) return;
    if (canceling) this.canceling.add(intentId);
    else this.canceling.delete(intentId);
    this.tell(order);
    this.workWanted = true;
  }

  /** `flags` are those of the order machine. */
  changed(order: OwnOrder, before: OrderState, flags: number): void {
    if (flags <= 0) return;
    const { state } = order.progress;
    if ((flags & CONTRADICTION) !== 0) this.#correct(order, before);
    if ((flags & OVERFILL) !== 0) this.#overfilled(order);
    if ((flags & LATE) !== 0) this.alarm('late_fill', `${order.ref}: a fill came after it was ${before}`);
    if (state !== before) this.#counted(order, before);
    if (isClosed(order.progress)) this.canceling.delete(order.intentId);
    this.tell(order);
    this.workWanted = true;
    if (order.cancelWanted && !isClosed(order.progress)) this.onCancelable(order);
  }

  /** Halts the symbol (reliability O23). */
  #overfilled(order: OwnOrder): void {
    const { instrument, progress, ref } = order;
    const filled = instrument.quantityOf(filledLots(progress));
    const what = `${ref}: more was filled than ordered (${filled} of ${instrument.quantityOf(progress.lots)})`;
    this.alarm('overfill', what);
    this.onDoubt(what);
    this.halt(instrument.symbol, what);
  }

  /** No new risk in the symbol until a human resumes it. */
  halt(symbol: string, reason: string): void {
    if (this.state.halts.has(symbol)) return;
    this.spine.commit({ kind: 'halt', symbol, on: true, reason });
    this.onHalted(symbol);
  }

  #correct(order: OwnOrder, before: OrderState): void {
    const to = order.progress.state;
    const cause = `the venue shows an order that was concluded to be ${before}`;
    this.put({ kind: 'correction', intentId: order.intentId, from: before, to, cause });
    this.alarm('contradiction', `${order.ref}: ${cause}; it is ${to}`);
  }

  #counted(order: OwnOrder, before: OrderState): void {
    const { state } = order.progress;
    if (!order.counted && order.ackedAt !== 0 && state !== 'rejected') {
      order.counted = true;
      this.count(order.strategy, 'accepted');
      this.risk.accepted(order);
    }
    countEnd(this.counters(order.strategy), before, state);
    countEnd(this.total, before, state);
    if (state === 'rejected') this.risk.rejected(order, order.reason ?? 'rejected', this.now());
  }

  #settle(): void {
    for (let round = 0; this.workWanted; round++) {
      if (round > WORK_ROUNDS_MAX) throw new RangeError('the handlers of the executor do not come to rest');
      this.workWanted = false;
      for (const handler of this.workers) handler.work();
    }
    this.outgoing.leave();
    this.writer.flush();
  }

  #makeRisk(): RiskService {
    const { options, strategies, market, instruments, reporting } = this.deps;
    const risk = new RiskService({
      options: options.risk,
      strategies: new Map(strategies.map((slot) => [slot.tag, slot])),
      instruments,
      state: this.state,
      balances: this.balances,
      valuation: new Valuation(reporting, instruments, market),
      market,
      onDay: (day, equity, priced) => {
        const joined = priced === undefined ? {} : { priced: String(priced) };
        this.spine.commit({ kind: 'day', day, equity: String(equity), ...joined });
      },
      onMark: (name, value) => this.spine.commit({ kind: 'risk-mark', name, value }),
      onTrial: (tag) => this.state.trials.holds(this.slot(tag)),
      onLoss: (reason, message) => this.alarm(reason, message),
      onLatch: (strategy, reason) => this.latch(strategy, reason),
    });
    risk.leverage = (symbol) => this.leverages.get(symbol) ?? 1;
    return risk;
  }
}
