/**
 * What an entry means for the state, when a journal is read (`replay.ts`) as while it lives: `Spine` is the one way to
 * change the living state, which applies each entry and journals it.
 */
import type { Instrument, Instruments } from '../model/instrument.ts';
import type { CancelIntentEntry, CorrectionEntry, CreateIntentEntry, JournalEntry } from '../model/journal.ts';
import { flattenKey, type SendingEntry } from '../model/order-entries.ts';
import { CONTROLS } from './trials.ts';
import { canonicalJson } from '../model/canonical.ts';
import type { OwnOrder } from './orders/own-order.ts';
import { lotsOf } from './lots-of.ts';
import { type StateView, TradingState } from './trading-state.ts';
import type { Balance } from '../model/account.ts';
import type { MoneySendingEntry } from '../model/money-entries.ts';
import type { Mutable } from '../model/mutable.ts';
import type { OrderReport } from '../model/order.ts';
import type { Clock } from '../model/ports.ts';
import { cashFlowKey } from './external-keys.ts';
import type { HeardEntry } from './heard.ts';

export type FactEntry = Extract<
  JournalEntry,
  {
    readonly kind:
      | 'adjustment'
      | 'cash-flow'
      | 'day'
      | 'disowned'
      | 'divided'
      | 'flatten'
      | 'funding'
      | 'halt'
      | 'kill'
      | 'latch'
      | 'limit-override'
      | 'liquidation'
      | 'money-intent'
      | 'money-outcome'
      | 'money-resolved'
      | 'money-sending'
      | 'program'
      | 'pause'
      | 'read-to'
      | 'record'
      | 'restored'
      | 'risk-mark'
      | 'state'
      | 'stop'
      | 'undivided'
      | 'widened';
  }
>;

export type OrderLifeEntry = Extract<
  JournalEntry,
  { readonly kind: 'sending' | 'outcome' | 'order' | 'fill' | 'closed' | 'correction' | 'cancel-wanted' | 'absent' }
>;

export type InstrumentOf = (symbol: string) => Instrument | undefined;

/** `ts`: of the row, Unix ms. Throws `RangeError` for a liquidation of an unknown instrument. */
export function apply(state: TradingState, entry: FactEntry, ts: number, instrumentOf: InstrumentOf): void {
  switch (entry.kind) {
    case 'adjustment':
      state.adjust(entry, ts);
      return;
    case 'cash-flow':
      state.booked.add(cashFlowKey(entry.id));
      return;
    case 'day':
      state.day = entry;
      return;
    case 'disowned':
      state.disowned.add(entry.orderId);
      return;
    case 'divided':
      state.undivided.divided(entry);
      return;
    case 'flatten': {
      const key = flattenKey(entry.strategy, entry.symbol);
      if (entry.on) state.flattening.set(key, entry);
      else state.flattening.delete(key);
      return;
    }
    case 'funding':
      state.fund(entry, entry.symbol === null ? undefined : instrumentOf(entry.symbol));
      return;
    case 'halt':
      if (entry.on) state.halts.set(entry.symbol, entry.reason);
      else state.halts.delete(entry.symbol);
      return;
    case 'kill':
      state.kill(entry.on ? entry.reason : undefined);
      return;
    case 'latch':
      if (entry.on) state.latches.set(entry.strategy, entry.reason);
      else state.latches.delete(entry.strategy);
      return;
    case 'limit-override':
      state.overrides.set(entry.limit, entry);
      return;
    case 'liquidation':
      state.liquidate(entry.strategy, known(instrumentOf, entry.fill.symbol), entry.fill);
      return;
    case 'money-intent':
      state.money.open(entry, ts);
      return;
    case 'money-outcome':
      state.money.outcome(entry.intentId, entry.outcome);
      return;
    case 'money-resolved':
      state.money.resolved(entry.intentId, entry.verdict, entry.receipt);
      return;
    case 'money-sending':
      state.money.sending(entry.intentId, ts);
      return;
    case 'program':
      state.programs.apply(entry, ts);
      if (entry.event === 'start') state.refs.restore(entry.strategy, entry.ref, entry.auto);
      return;
    case 'pause':
      if (entry.on) state.pauses.set(entry.strategy, entry.reason);
      else state.pauses.delete(entry.strategy);
      return;
    case 'read-to':
      state.readTo = entry;
      return;
    case 'record':
      if (entry.name !== CONTROLS) return;
      state.controls = canonicalJson(entry.data);
      state.trials.controls(entry.data, ts);
      return;
    case 'restored':
      state.rewind(entry, ts);
      return;
    case 'risk-mark':
      state.marks.set(entry.name, entry.value);
      return;
    case 'state':
      state.values.set(entry.key, entry.value);
      return;
    case 'stop':
      state.stopping.set(entry.strategy, entry.policy);
      return;
    case 'undivided':
      state.leaveUndivided(entry);
      return;
    case 'widened':
      state.trials.widen(entry.strategy, entry.version, entry.reason);
  }
}

/** Flags of the order machine, or `MISBOUND`; 0: no change. `ts`: of the row, Unix ms. */
export function applyToOrder(state: TradingState, order: OwnOrder, entry: OrderLifeEntry, ts: number): number {
  switch (entry.kind) {
    case 'sending':
      return state.sending(order, ts, entry.offsetMs);
    case 'outcome':
      return state.outcome(order, entry.outcome, ts);
    case 'order':
      return state.report(order, entry.report, ts);
    case 'fill':
      return state.fill(order, entry.fill, ts);
    case 'closed':
      return state.close(order, entry.state, entry.reason, entry.message);
    case 'correction':
      return entry.report === undefined ? 0 : state.reopen(order, entry.report);
    case 'cancel-wanted':
      return state.wantCancel(order);
    case 'absent':
      return state.absent(order, entry.asOf);
  }
}

/** For an order of an earlier process, or of one whose journal is lost. */
export function applyCreate(
  state: TradingState,
  entry: CreateIntentEntry,
  instrument: Instrument,
  ts: number,
): OwnOrder {
  const { price, quantity } = entry.order;
  const ticks = price === null ? 0 : instrument.ticksOf(price);
  const order = state.openOrder(entry, instrument, ticks, lotsOf(instrument, quantity), ts, null);
  state.refs.restore(entry.strategy, entry.ref, entry.auto);
  return order;
}

export function applyCancel(state: TradingState, { targets }: CancelIntentEntry): void {
  state.intentCount++;
  for (const target of targets) {
    const order = state.orders.byIntent(target);
    if (order !== undefined) order.cancelWanted = true;
  }
}

export function known(instrumentOf: InstrumentOf, symbol: string): Instrument {
  const instrument = instrumentOf(symbol);
  if (instrument === undefined) throw new RangeError(`the journal names ${symbol} before its instrument`);
  return instrument;
}

export interface EntryLog {
  put(entry: JournalEntry): void;
  /** True when this entry and all earlier ones are durable. */
  commit(entry: JournalEntry): boolean;
}

export class Spine {
  readonly #log: EntryLog;
  readonly #clock: Clock;
  readonly #instruments: Instruments;
  #state = new TradingState();

  constructor(log: EntryLog, clock: Clock, instruments: Instruments) {
    this.#log = log;
    this.#clock = clock;
    this.#instruments = instruments;
  }

  get state(): StateView {
    return this.#state;
  }

  adopt(state: TradingState): void {
    this.#state = state;
  }

  commit(entry: FactEntry): void {
    this.#apply(entry);
    this.#log.put(entry);
  }

  /** False: it could not be journalled, and nothing changed. */
  commitDurably(entry: FactEntry): boolean {
    if (!this.#log.commit(entry)) return false;
    this.#apply(entry);
    return true;
  }

  /** Journals an entry that changes anything. Flags of the order machine, or `MISBOUND`. */
  commitTo(order: OwnOrder, entry: OrderLifeEntry): number {
    const flags = applyToOrder(this.#state, order, entry, this.#clock.now());
    if (flags > 0) this.#log.put(entry);
    return flags;
  }

  create(entry: CreateIntentEntry, instrument: Instrument, ticks: number, lots: number, mid: number | null): OwnOrder {
    this.#log.put(entry);
    return this.#state.openOrder(entry, instrument, ticks, lots, this.#clock.now(), mid);
  }

  /** Journals intent and SENDING of an order whose process lost its rows. */
  takeOver(entry: CreateIntentEntry, instrument: Instrument): OwnOrder {
    this.#log.put(entry);
    const order = applyCreate(this.#state, entry, instrument, this.#clock.now());
    this.commitTo(order, { kind: 'sending', intentId: entry.intentId });
    return order;
  }

  /** The entry is durable already; the bytes are about to leave. */
  leave(order: OwnOrder, entry: SendingEntry): void {
    applyToOrder(this.#state, order, entry, this.#clock.now());
  }

  leaveMoney(entry: MoneySendingEntry): void {
    this.#apply(entry);
  }

  /** A closed order is active at the exchange. Flags of the order machine. */
  reopen(order: OwnOrder, report: OrderReport, cause: string): number {
    const { intentId, progress } = order;
    const from = progress.state;
    const entry: Mutable<CorrectionEntry> = { kind: 'correction', intentId, from, to: from, cause, report };
    const flags = applyToOrder(this.#state, order, entry, this.#clock.now());
    entry.to = progress.state;
    this.#log.put(entry);
    return flags;
  }

  cancel(entry: CancelIntentEntry): void {
    applyCancel(this.#state, entry);
    this.#log.put(entry);
  }

  /** The balances that changed. */
  hear(entry: HeardEntry): readonly Balance[] {
    return this.#state.heard.apply(entry);
  }

  #apply(entry: FactEntry): void {
    apply(this.#state, entry, this.#clock.now(), (symbol) => this.#instrumentOf(symbol));
  }

  /** Also one that is held and that the exchange no longer lists. */
  #instrumentOf(symbol: string): Instrument | undefined {
    const held = (): Instrument | undefined =>
      this.#state.positions.all().find(({ instrument }) => instrument.symbol === symbol)?.instrument;
    return this.#instruments.find(symbol) ?? held();
  }
}
