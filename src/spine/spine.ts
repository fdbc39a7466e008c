/**
 * What each entry means for the state, both in a replay (`replay.ts`) and live. `Spine` is the one way to change the
 * live state: it applies each entry and journals it.
 */
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import type { CancelIntentEntry, CorrectionEntry, CreateIntentEntry, JournalEntry } from '../model/entries/journal.ts';
import { flattenKey, type SendingEntry } from '../model/entries/order-entries.ts';
import { bareKey, isWithheld, withheldKey } from '../model/entries/risk-entries.ts';
import { REMOTE_COMMAND, rememberKey } from './command-keys.ts';
import { CONTROLS } from './trials.ts';
import { canonicalJson } from '../model/text/canonical.ts';
import { CHANGED, isClosed } from './orders/order-machine.ts';
import { type OwnOrder, lotsOf } from './orders/own-order.ts';
import { AGREED } from './orders/fill-check.ts';
import { termsText } from './orders/trade-ids.ts';
import { type StateView, TradingState } from './trading-state.ts';
import type { Balance } from '../model/trading/account.ts';
import type { MoneySendingEntry } from '../model/entries/money-entries.ts';
import type { Mutable } from '../model/mutable.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Clock } from '../model/ports.ts';
import { cashFlowKey, contradictedId } from './external-keys.ts';
import type { HeardEntry } from './heard.ts';

type Entry<Kind> = Extract<JournalEntry, { readonly kind: Kind }>;
type Meaning<Kind> = (state: TradingState, entry: Entry<Kind>, ts: number, instrumentOf: InstrumentOf) => unknown;
type OrderMeaning<Kind> = (state: TradingState, order: OwnOrder, entry: Entry<Kind>, ts: number) => number;

export type InstrumentOf = (symbol: string) => Instrument | undefined;

const facts = {
  adjustment: (state, entry, ts) => state.adjust(entry, ts),
  alarm: (state, { about }) => about && state.unprotected.set(bareKey(about), about),
  'cash-flow': (state, { id }) => state.booked.add(cashFlowKey(id)),
  day: (state, entry) => (state.day = entry),
  disowned: (state, { orderId }) => state.disowned.add(orderId),
  divided: (state, entry) => decided(state, entry),
  flatten: (state, entry) => put(state.flattening, flattenKey(entry.strategy, entry.symbol), entry.on && entry),
  funding: (state, entry, _ts, instrumentOf) =>
    state.fund(entry, entry.symbol === null ? undefined : instrumentOf(entry.symbol)),
  halt: (state, { symbol, on, reason }) => put(state.halts, symbol, on && reason),
  kill: (state, { on, reason }) => state.kill(on ? reason : undefined),
  latch: (state, { strategy, on, reason }) => {
    put(state.latches, strategy, on && reason);
    if (!on) state.latchCounts.enabled(strategy);
  },
  'limit-override': (state, entry) => state.overrides.set(entry.limit, entry),
  liquidation: (state, { strategy, fill }, _ts, instrumentOf) =>
    state.liquidate(strategy, known(instrumentOf, fill.symbol), fill),
  'money-intent': (state, entry, ts) => state.money.open(entry, ts),
  'money-outcome': (state, { intentId, outcome, doubted }, ts) =>
    state.money.outcome(intentId, outcome, ts, doubted === true),
  'money-resolved': (state, { intentId, verdict, receipt }) => state.money.resolved(intentId, verdict, receipt),
  'money-sending': (state, { intentId }, ts) => state.money.sending(intentId, ts),
  program: (state, entry, ts) => {
    state.programs.apply(entry, ts);
    if (entry.event === 'start') state.refs.restore(entry.strategy, entry.ref, entry.auto);
  },
  pause: (state, entry) => pause(state, entry),
  protected: (state, entry) => state.unprotected.delete(bareKey(entry)),
  'read-to': (state, entry) => (state.readTo = entry),
  record: (state, { name, data }, ts) => {
    if (name === REMOTE_COMMAND) rememberKey(state.commandKeys, data);
    if (name !== CONTROLS) return;
    state.controls = canonicalJson(data);
    state.trials.controls(data, ts);
  },
  restored: (state, entry, ts) => state.rewind(entry, ts),
  'risk-mark': (state, { name, value }) => state.marks.set(name, value),
  state: (state, { key, value }, ts) => {
    state.values.set(key, value);
    state.valuesAt.set(key, ts);
  },
  stop: (state, { strategy, policy }) => state.stopping.set(strategy, policy),
  undivided: (state, entry) => state.leaveUndivided(entry),
  'used-before': (state, { strategy, orders, transfers, trades }) => {
    if (orders !== undefined) state.refs.takeOver(strategy, orders);
    state.money.takeOver(strategy, transfers);
    state.trades.takeOver(strategy, trades);
  },
  widened: (state, { strategy, version, reason }) => state.trials.widen(strategy, version, reason),
  withheld: (state, entry, ts) => withhold(state, entry, ts),
} satisfies { readonly [Kind in JournalEntry['kind']]?: Meaning<Kind> };

const lives = {
  sending: (state, order, { offsetMs }, ts) => state.sending(order, ts, offsetMs),
  outcome: (state, order, { outcome }, ts) => state.outcome(order, outcome, ts),
  order: (state, order, { report }, ts) => state.report(order, report, ts),
  fill: (state, order, { fill, corrects }, ts) => state.fill(order, fill, ts, corrects),
  contradicted: (state, _order, entry) => (state.contradicted.set(contradictedId(entry.fill), entry), CHANGED),
  closed: (state, order, entry) => state.close(order, entry.state, entry.reason, entry.message),
  correction: (state, order, { report }) => (report === undefined ? 0 : state.reopen(order, report)),
  'cancel-wanted': (_state, order) => {
    if (order.cancelWanted) return 0;
    order.cancelWanted = true;
    return CHANGED;
  },
  absent: (_state, order, { asOf }) => ((order.absentSince = asOf), CHANGED),
} satisfies { readonly [Kind in JournalEntry['kind']]?: OrderMeaning<Kind> };

export type FactEntry = Entry<keyof typeof facts>;
export type OrderLifeEntry = Entry<keyof typeof lives>;

function put<Value>(values: Map<string, Value>, key: string, value: Value | false): void {
  if (value === false) values.delete(key);
  else values.set(key, value);
}

function pause(state: TradingState, { strategy, on, reason }: Entry<'pause'>): void {
  put(state.pauses, strategy, on && reason);
  if (on) holdBack(state, strategy, null);
}

function withhold(state: TradingState, entry: Entry<'withheld'>, ts: number): void {
  const { strategy, symbol } = entry;
  const isOn = isWithheld(entry, ts);
  put(state.withheld, withheldKey(strategy, symbol), isOn && entry);
  if (isOn) holdBack(state, strategy, symbol);
}

/** Marks the orders that will be cancelled, because a dying process cannot journal each cancel. `symbol` null: all. */
function holdBack({ orders }: TradingState, strategy: string, symbol: string | null): void {
  for (const order of symbol === null ? orders.allLive() : orders.live(symbol))
    if (order.strategy === strategy && !order.exits && !order.cancelWanted && !isClosed(order.progress))
      order.heldBack = true;
}

/** From now on the list agrees, whichever terms a human chose. */
function decided(state: TradingState, entry: Entry<'divided'>): void {
  state.undivided.divided(entry);
  const settled = state.contradicted.get(entry.id);
  if (settled === undefined) return;
  state.contradicted.delete(entry.id);
  if (entry.choice === AGREED) return;
  const { trades } = state.orders.byIntent(settled.intentId)?.progress ?? {};
  trades?.set(settled.fill.tradeId, termsText(settled.fill));
}

export function isFact(entry: JournalEntry): entry is FactEntry {
  return entry.kind in facts;
}

export function isOfOrder(entry: JournalEntry): entry is OrderLifeEntry {
  return entry.kind in lives;
}

/** `ts`: of the row, Unix ms. Throws `RangeError` for a liquidation of an unknown instrument. */
export function apply(state: TradingState, entry: FactEntry, ts: number, instrumentOf: InstrumentOf): void {
  const meaning = facts[entry.kind] as Meaning<FactEntry['kind']>;
  meaning(state, entry, ts, instrumentOf);
}

/** Flags of the order machine, or `MISBOUND`; 0: no change. `ts`: of the row, Unix ms. */
export function applyToOrder(state: TradingState, order: OwnOrder, entry: OrderLifeEntry, ts: number): number {
  const meaning = lives[entry.kind] as OrderMeaning<OrderLifeEntry['kind']>;
  const { ackedAt, progress } = order;
  const before = progress.state;
  const flags = meaning(state, order, entry, ts);
  if (flags > 0 && progress.state !== before)
    state.latchCounts.moved(order.strategy, progress.state, ackedAt === 0 && order.ackedAt !== 0);
  return flags;
}

/** For an order of an earlier process, or one whose journal rows are lost. */
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
  /** Grows with each entry that may have changed orders, positions or facts. */
  changes = 0;

  constructor(log: EntryLog, clock: Clock, instruments: Instruments) {
    this.#log = log;
    this.#clock = clock;
    this.#instruments = instruments;
  }

  get state(): StateView {
    return this.#state;
  }

  adopt(state: TradingState): void {
    this.changes++;
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

  /** Journals an entry that changes anything. Returns flags of the order machine, or `MISBOUND`. */
  commitTo(order: OwnOrder, entry: OrderLifeEntry): number {
    const flags = applyToOrder(this.#changed(), order, entry, this.#clock.now());
    if (flags > 0) this.#log.put(entry);
    return flags;
  }

  create(entry: CreateIntentEntry, instrument: Instrument, ticks: number, lots: number, mid: number | null): OwnOrder {
    this.#log.put(entry);
    return this.#changed().openOrder(entry, instrument, ticks, lots, this.#clock.now(), mid);
  }

  /** Journals the intent and SENDING of an order whose rows are lost. */
  takeOver(entry: CreateIntentEntry, instrument: Instrument): OwnOrder {
    this.#log.put(entry);
    const order = applyCreate(this.#changed(), entry, instrument, this.#clock.now());
    this.commitTo(order, { kind: 'sending', intentId: entry.intentId });
    return order;
  }

  /** The entry is durable already, and the bytes are about to leave. */
  leave(order: OwnOrder, entry: SendingEntry): void {
    applyToOrder(this.#changed(), order, entry, this.#clock.now());
  }

  leaveMoney(entry: MoneySendingEntry): void {
    this.#apply(entry);
  }

  /** The exchange shows a closed order as active. Returns flags of the order machine. */
  reopen(order: OwnOrder, report: OrderReport, cause: string): number {
    const { intentId, progress } = order;
    const from = progress.state;
    const entry: Mutable<CorrectionEntry> = { kind: 'correction', intentId, from, to: from, cause, report };
    const flags = applyToOrder(this.#changed(), order, entry, this.#clock.now());
    entry.to = progress.state;
    this.#log.put(entry);
    return flags;
  }

  cancel(entry: CancelIntentEntry): void {
    applyCancel(this.#changed(), entry);
    this.#log.put(entry);
  }

  /** Returns the balances that changed. */
  hear(entry: HeardEntry): readonly Balance[] {
    return this.#state.heard.apply(entry);
  }

  /** The state, for a change. */
  #changed(): TradingState {
    this.changes++;
    return this.#state;
  }

  #apply(entry: FactEntry): void {
    apply(this.#changed(), entry, this.#clock.now(), (symbol) => this.#instrumentOf(symbol));
  }

  /** Also finds a held instrument that the exchange no longer lists. */
  #instrumentOf(symbol: string): Instrument | undefined {
    const held = (): Instrument | undefined =>
      this.#state.positions.all().find(({ instrument }) => instrument.symbol === symbol)?.instrument;
    return this.#instruments.find(symbol) ?? held();
  }
}
