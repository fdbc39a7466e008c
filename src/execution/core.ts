/** What the rules share: the state, the gates and the risk service. Everything is journalled and published here. */
import { cashFlowKey } from '../spine/external-keys.ts';
import type { CashFlow } from '../model/trading/account.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { Action } from '../model/trading/action.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { JournalEntry, UnprotectedAbout } from '../model/entries/journal.ts';
import type { OrderUpdate } from '../model/trading/order.ts';
import { Departures } from '../spine/departures.ts';
import { executionErrors } from './errors.ts';
import type { AlarmCode, Signal } from '../spine/events.ts';
import type { ExecutorDeps } from './executor-types.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { plainJson } from '../model/text/canonical.ts';
import { JournalWriter } from '../journal/journal-writer.ts';
import { addCounters, zeroCounters, type OrderCounters } from '../spine/orders/order-counters.ts';
import { orderUpdate, type OwnOrder } from '../spine/orders/own-order.ts';
import { Gates, haltGate, isOfContradiction, restoredGate } from '../risk/gates.ts';
import { RiskService } from '../risk/service.ts';
import { KillSwitch } from '../risk/kill-switch.ts';
import { Surveillance } from '../risk/surveillance.ts';
import { Spine } from '../spine/spine.ts';
import { ExitRoom } from './rules/exit-room.ts';
import { ToldSides } from './intake/told-sides.ts';
import type { HeldPosition } from '../spine/positions.ts';
import { programKey } from '../spine/programs/programs.ts';
import type { StateView, TradingState } from '../spine/trading-state.ts';
import { Turn } from '../spine/turn.ts';

/** Standing wishes of a strategy: quotes or a target. */
interface Wanted {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly tag: string;
}

export function covers(wanted: Wanted, strategy: string, symbol?: string, tag?: string): boolean {
  const { slot, instrument } = wanted;
  if (slot.tag !== strategy || (symbol !== undefined && instrument.symbol !== symbol)) return false;
  return tag === undefined || wanted.tag === tag;
}

const WORK_ROUNDS_MAX = 1_000;

export class Core {
  readonly deps: ExecutorDeps;
  readonly slots = new Map<string, StrategySlot>();
  readonly writer: JournalWriter;
  readonly spine: Spine;
  readonly departures: Departures;
  readonly turn: Turn;
  readonly gates: Gates;
  readonly kill = new KillSwitch();
  readonly surveillance: Surveillance;
  readonly toldSides = new ToldSides();
  readonly exitRoom = new ExitRoom(() => this.state);
  /** Positions whose remaining dust was reported. */
  readonly dustSaid = new WeakSet<HeldPosition>();
  risk: RiskService;
  workWanted = false;
  /** Since the last look of the withdrawals: moved positions, halted symbols, strategies that may not enter. */
  readonly news = {
    moved: new Set<string>(),
    shut: new Set<string>(),
    barred: new Map<string, Set<string> | 'all'>(),
    /** Programs whose orders have changed, by `programKey`. */
    programs: new Set<string>(),
    /** Lots that own orders of this process took and the venue prints, by symbol. */
    taken: new Map<string, number>(),
  };
  readonly #followers: ((signal: Signal) => void)[] = [];
  readonly #counters = new Map<string, OrderCounters>();
  readonly #written = new Set<string>();

  /** `work`: one round of the rules. They ask for another by `workWanted`. */
  constructor(deps: ExecutorDeps, work: () => void) {
    this.deps = deps;
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
        this.turn.emit({ kind: 'gate', ts: this.now(), entry: Object.freeze(entry) });
      },
    );
    this.turn = new Turn(
      () => this.#settle(work),
      (message) => this.alarm('listener_failed', message),
    );
    this.risk = new RiskService(this);
    this.surveillance = new Surveillance(deps.options.risk.surveillance, this);
  }

  adopt(state: TradingState): void {
    this.spine.adopt(state);
    this.risk = new RiskService(this);
    this.risk.restore(this.now());
    for (const symbol of state.orders.symbols()) this.news.moved.add(symbol);
    // A dead process may have left their orders.
    for (const tag of [...state.latches.keys(), ...state.pauses.keys()]) this.bar(tag);
    if (state.killReason !== undefined) this.kill.latch(state.killReason);
  }

  get state(): StateView {
    return this.spine.state;
  }

  /** `listener` is called at once, within the turn. */
  follow(listener: (signal: Signal) => void): void {
    this.#followers.push(listener);
  }

  signal(signal: Signal): void {
    for (const follow of this.#followers) follow(signal);
  }

  /**
   * Whether the order is surely over. An order that ended by itself may have been reported falsely, so the lists must
   * have shown it closed since. Without a reconciler the report is believed.
   */
  isProvedOver({ orderId, endedAt, request, progress }: OwnOrder): boolean {
    if (orderId === undefined || !this.isCompared) return true;
    // The report names its fills, and they are booked.
    if (request.timeInForce === 'ioc' && progress.fillLots > 0 && progress.fillLots >= progress.reportedLots)
      return true;
    return this.state.heard.comparedFrom >= endedAt + this.deps.options.reconcile.historyLagMs;
  }

  /** A reconciler compares the state with the lists of the exchange. */
  get isCompared(): boolean {
    return this.#followers.length > 0 && this.deps.asksNobody !== true;
  }

  doubt(reason: string): void {
    if (this.#followers.length > 0) this.signal({ kind: 'doubt', reason });
  }

  now(): number {
    return this.deps.clock.now();
  }

  slot(tag: string): StrategySlot {
    const slot = this.slots.get(tag);
    if (slot === undefined) throw executionErrors.make('unknown_strategy', `no strategy has the tag "${tag}"`, { tag });
    return slot;
  }

  instrument(symbol: string): Instrument | Denied {
    const found = this.deps.instruments.find(symbol);
    return found ?? denied('unknown_symbol', `${symbol} is not an instrument of this venue`, 'symbol');
  }

  counters(tag: string): OrderCounters {
    let counters = this.#counters.get(tag);
    if (counters === undefined) this.#counters.set(tag, (counters = zeroCounters()));
    return counters;
  }

  /** Sum over all strategies. */
  get total(): OrderCounters {
    return [...this.#counters.values()].reduce(addCounters, zeroCounters());
  }

  put(entry: JournalEntry): void {
    this.writer.put(entry);
  }

  /** Journals the symbol's grid before its first intent of this process. */
  putInstrument(instrument: Instrument): void {
    if (this.#written.has(instrument.symbol)) return;
    this.#written.add(instrument.symbol);
    this.put({ kind: 'instrument', spec: instrument.spec });
    this.signal({ kind: 'traded', symbol: instrument.symbol });
  }

  nextIntentId(): string {
    return `${this.deps.bootId}-${this.state.intentCount + 1}`;
  }

  /** `about`: the position that has no exit. `strategy`: the tag of one that stopped by itself. */
  alarm(code: AlarmCode, message: string, about?: UnprotectedAbout, strategy?: string): void {
    const bare = about === undefined ? {} : { about: Object.freeze(about) };
    this.deps.logger.error({ alarm: code }, message);
    this.spine.commit({ kind: 'alarm', code, message, ...bare, ...(strategy === undefined ? {} : { strategy }) });
    this.turn.emit({ kind: 'alarm', ts: this.now(), code, message, ...bare });
  }

  deny(strategy: string, action: Action['kind'], reason: Denied, symbol?: string, ref?: string, auto = false): void {
    this.counters(strategy).denied++;
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
    this.turn.emit({ kind: 'denied', ts: this.now(), strategy, action, ...where, denied: reason });
  }

  /** Denies new risk of the strategy until a human enables it. */
  latch(strategy: string, reason: string): void {
    this.spine.commit({ kind: 'latch', strategy, on: true, reason });
    this.alarm('strategy_latched', `${strategy} is latched: ${reason}`);
    this.bar(strategy);
  }

  /** Orders of new risk of the strategy, in one symbol or in all, are cancelled before the turn ends. */
  bar(strategy: string, symbol?: string): void {
    const { barred } = this.news;
    const known = barred.get(strategy);
    if (symbol === undefined) barred.set(strategy, 'all');
    else if (known === undefined) barred.set(strategy, new Set([symbol]));
    else if (known !== 'all') known.add(symbol);
    this.workWanted = true;
  }

  /** Books money that moved without a trade, once per id. */
  flowed(flow: CashFlow): void {
    if (this.state.isBooked(cashFlowKey(flow.id))) return;
    const value = this.risk.flowed(flow.currency, Number(flow.amount), flow.at);
    this.spine.commit({ kind: 'cash-flow', ...flow, value: value === null ? null : String(value) });
    this.turn.emit({ kind: 'cash-flow', flow: Object.freeze({ ...flow }), value });
  }

  note(strategy: string, text: string, data?: unknown): void {
    const shown = data === undefined ? {} : { data: plainJson(data) };
    this.put({ kind: 'note', strategy, text, ...shown });
    this.turn.emit({ kind: 'note', ts: this.now(), strategy, text, ...shown });
  }

  updateOf(order: OwnOrder): OrderUpdate {
    return orderUpdate(order, this.now());
  }

  tell(order: OwnOrder): void {
    if (this.turn.heard) this.turn.emit({ kind: 'order', strategy: order.strategy, order: this.updateOf(order) });
  }

  /** Publishes the order, and wakes its program and one that waits for it. */
  orderMoved(order: OwnOrder): void {
    this.tell(order);
    if (order.parent !== undefined) this.news.programs.add(programKey(order.strategy, order.parent));
    const waiting = this.exitRoom.waitsFor(order);
    if (waiting !== undefined) this.news.programs.add(waiting);
    this.workWanted = true;
  }

  /** Denies new risk in the symbol until a human resumes it. What ends with a word on a trade holds back no other reason. */
  halt(symbol: string, reason: string): void {
    const standing = this.state.halts.get(symbol);
    if (standing !== undefined && !isOfContradiction(this.state, standing)) return;
    this.spine.commit({ kind: 'halt', symbol, on: true, reason });
    this.shut(symbol);
  }

  /** Orders of new risk in the symbol are cancelled before the turn ends. */
  shut(symbol: string): void {
    this.news.shut.add(symbol);
    this.workWanted = true;
  }

  #settle(work: () => void): void {
    for (let round = 0; this.workWanted; round++) {
      if (round > WORK_ROUNDS_MAX) throw new RangeError('the rules of the executor never come to an end');
      this.workWanted = false;
      work();
    }
    this.departures.leave(this.deps.venue);
    this.writer.flush();
  }
}
