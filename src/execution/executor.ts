/**
 * From actions to orders at a venue and back.
 *
 *   submit ─▶ rule of place · quote · target · flatten ─▶ placement (risk) ─▶ dispatcher (journal) ─▶ venue
 *   venue ─▶ intake ─▶ state (order machine, positions) ─▶ journal ─▶ events ─▶ session, strategies
 */
import type { Action, StopPolicy, TargetAction } from '../model/action.ts';
import type { StrategyAccount } from '../model/account.ts';
import type { TidewireError } from '../model/errors.ts';
import type { JournalEntry } from '../model/journal.ts';
import type { Cancel, Gate, StateStore } from '../model/ports.ts';
import type { StrategyTreasury } from '../model/strategy-treasury.ts';
import { createAccountView } from './account-view.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import { holdings } from './holdings.ts';
import type { ExecutorEvent } from '../spine/events.ts';
import type { Executor, ExecutorDeps, RestoreReport } from './executor-types.ts';
import { Flatten, Stop } from './closing.ts';
import { Intake } from './intake.ts';
import { canonicalJson } from '../model/canonical.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import { isClosed, isUnresolved } from '../spine/orders/order-machine.ts';
import { divide, enable, overrideLimit, pause, widen } from './operator-commands.ts';
import { Place } from './place.ts';
import { Placement } from './placement.ts';
import { Programs } from './programs.ts';
import { programOf, ProgramTargets } from './program-targets.ts';
import { isProgram } from '../programs/rules.ts';
import { Protection } from './protection.ts';
import { Quotes } from './quote.ts';
import { createReconcilerPort } from './reconciler-port.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import { restore } from './start.ts';
import { stateHash } from '../spine/replay.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { Targets } from './target.ts';
import { TreasuryService } from '../treasury/service.ts';
import { Withdrawals } from './withdrawals.ts';

export type { Executor, ExecutorDeps } from './executor-types.ts';

/** A class: V8 makes object literals with getters slow from the second one on. */
class WiredExecutor implements Executor {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #withdrawals: Withdrawals;
  readonly #placement: Placement;
  readonly #place: Place;
  readonly #quotes: Quotes;
  readonly #targets: Targets;
  readonly #flatten: Flatten;
  readonly #programs: Programs;
  readonly #programTargets: ProgramTargets;
  readonly #protection: Protection;
  readonly #treasury: TreasuryService;
  readonly #stop: Stop;
  readonly #accounts = new Map<string, StrategyAccount>();
  readonly #valueAccount: () => void;
  readonly reconcilerPort: ReconcilerPort;

  constructor(deps: ExecutorDeps) {
    const core = (this.#core = new Core(deps, () => this.#work()));
    const dispatcher = (this.#dispatcher = new Dispatcher(core));
    const placement = (this.#placement = new Placement(core, dispatcher));
    this.#place = new Place(core, dispatcher, placement);
    this.#quotes = new Quotes(core, dispatcher, placement);
    this.#targets = new Targets(core, dispatcher, placement);
    this.#flatten = new Flatten(core, dispatcher, placement);
    this.#programs = new Programs(core, dispatcher, placement, (slot, symbol) => {
      this.#forget(slot.tag, symbol);
      this.#flatten.flatten(slot, symbol);
    });
    this.#programTargets = new ProgramTargets(core, this.#programs);
    this.#protection = new Protection(core, (...what) => this.#programs.covered(...what));
    const treasury = (this.#treasury = new TreasuryService(core));
    this.#stop = new Stop(core, dispatcher, this.#flatten, treasury);
    const intake = new Intake(core, dispatcher, treasury);
    this.#withdrawals = new Withdrawals(core, dispatcher, (what, tag, symbol) => {
      if (what === 'all') this.#forget(tag, symbol);
      else this.#quotes.clear(tag, symbol);
    });
    for (const gate of [...intake.gates, dispatcher.blockedGate]) core.gates.add(gate);
    deps.venue.listen((events) => {
      core.turn.run(() => {
        for (const event of events) intake.event(event);
      });
    });
    this.reconcilerPort = createReconcilerPort(core, intake, dispatcher);
    this.#valueAccount = () => {
      core.risk.look(core.now());
      treasury.bookLate();
    };
  }

  restore(): RestoreReport {
    const report = restore(this.#core);
    this.#core.turn.run(() => this.#treasury.findLate());
    return report;
  }

  submit(tag: string, actions: Action | readonly Action[]): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      if (isList(actions)) for (const action of actions) this.#apply(slot, action);
      else this.#apply(slot, actions);
    });
  }

  goOn(tag: string): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      this.#flatten.goOn(slot);
      this.#programs.goOn(slot);
    });
  }

  account(tag: string): StrategyAccount {
    let account = this.#accounts.get(tag);
    if (account === undefined) {
      account = createAccountView(this.#core, this.#core.slot(tag).tag, this.#programs);
      this.#accounts.set(tag, account);
    }
    return account;
  }

  treasury(tag: string): StrategyTreasury {
    return this.#treasury.view(this.#core.slot(tag).tag);
  }

  stateStore(tag: string): StateStore {
    const core = this.#core;
    const { tag: own } = core.slot(tag);
    const keyOf = (key: string): string => (key.startsWith(`${own}/`) ? key : `${own}/${key}`);
    return {
      get: (key) => core.state.values.get(keyOf(key)),
      set: (key, json) => core.turn.run(() => core.spine.commit({ kind: 'state', key: keyOf(key), value: json })),
    };
  }

  listen(listener: (event: ExecutorEvent) => void): Cancel {
    return this.#core.turn.listen(listener);
  }

  get turns(): number {
    return this.#core.turn.begun;
  }

  counters(tag?: string): Readonly<OrderCounters> {
    return { ...(tag === undefined ? this.#core.total : this.#core.counters(tag)) };
  }

  stop(tag: string, policy: StopPolicy, keepsPrograms = false): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      this.#forget(tag);
      if (policy === 'leave' || (keepsPrograms && policy === 'cancel')) this.#programs.leave(tag);
      else this.#programs.end(tag, 'stopped');
      this.#stop.stop(slot, policy);
    });
  }

  kill(reason: string): void {
    const core = this.#core;
    // The latch needs nothing; everything below may fail.
    if (!core.kill.latch(reason)) return;
    // A failed write is tried again with the next rows.
    core.spine.commit({ kind: 'kill', on: true, reason });
    core.turn.run(() => {
      core.writer.flush();
      core.alarm('killed', `the kill switch is on: ${reason}`);
      for (const tag of core.slots.keys()) {
        this.#forget(tag);
        this.#programs.end(tag, 'killed');
      }
      this.#treasury.withdraw();
      this.#dispatcher.cancel([...core.state.orders.allLive()], true);
      // Cancels leave before the rules work, which may fail.
      core.departures.leave(core.deps.venue);
    });
  }

  clearKill(reason: string): void {
    const core = this.#core;
    core.turn.run(() => {
      core.kill.clear();
      core.spine.commit({ kind: 'kill', on: false, reason });
    });
  }

  get journalFailure(): TidewireError | undefined {
    return this.#core.writer.failure;
  }

  get killReason(): string | undefined {
    return this.#core.state.killReason;
  }

  get killed(): boolean {
    return this.#core.kill.on;
  }

  enable(tag: string, reason: string): void {
    enable(this.#core, this.#core.slot(tag).tag, reason);
  }

  pause(tag: string, on: boolean, reason: string): void {
    pause(this.#core, this.#core.slot(tag).tag, on, reason);
  }

  standing(): ReturnType<Executor['standing']> {
    return this.#core.state;
  }

  checkOverride(override: Parameters<Executor['checkOverride']>[0]): ReturnType<Executor['checkOverride']> {
    return this.#core.risk.checkOverride(override, this.#core.now());
  }

  undivided(): ReturnType<Executor['undivided']> {
    return this.#core.state.undivided.all;
  }

  divide(id: string, choice: string, reason: string): void {
    divide(this.#core, id, choice, reason);
  }

  resume(symbol: string, reason: string): void {
    const core = this.#core;
    core.turn.run(() => {
      if (core.state.halts.has(symbol)) core.spine.commit({ kind: 'halt', symbol, on: false, reason });
    });
  }

  widen(tag: string, reason: string): string {
    return widen(this.#core, this.#core.slot(tag).tag, reason);
  }

  overrideLimit(override: Parameters<Executor['overrideLimit']>[0]): void {
    overrideLimit(this.#core, override);
  }

  addGate(gate: Gate): void {
    this.#core.gates.add(gate);
  }

  lookAtGates(symbols: readonly string[]): void {
    this.#core.turn.run(() => {
      this.#core.gates.look(symbols);
      this.#programs.look();
      this.#protection.look();
    });
  }

  programs(workingOf?: string): ReturnType<Executor['programs']> {
    return this.#programs.list(workingOf);
  }

  get unprotected(): Executor['unprotected'] {
    return this.#protection.unprotected;
  }

  valueAccount(): void {
    this.#core.turn.run(this.#valueAccount);
  }

  equity(): number | undefined {
    const equity = this.#core.risk.equity(this.#core.now());
    return Number.isNaN(equity) ? undefined : equity;
  }

  lossOfDay(): ReturnType<Executor['lossOfDay']> {
    return this.#core.risk.lossOfDay;
  }

  strategyLosses(): ReturnType<Executor['strategyLosses']> {
    return this.#core.risk.strategyLosses;
  }

  stateHash(): string {
    return stateHash(this.#core.state);
  }

  unresolvedCount(): number {
    const { orders, money } = this.#core.state;
    return orders.allLive().filter(({ progress }) => isUnresolved(progress)).length + money.unresolved().length;
  }

  unbookedCount(): number {
    return this.#core.state.orders.allLive().filter(({ progress }) => isClosed(progress)).length;
  }

  leavesAnything(): boolean {
    const { orders, latches, pauses, halts, undivided, programs } = this.#core.state;
    const awaitsHuman = latches.size > 0 || pauses.size > 0 || halts.size > 0 || undivided.all.length > 0;
    const works = programs.working.size > 0 || orders.allLive().length > 0;
    return awaitsHuman || works || holdings(this.#core).length > 0;
  }

  record(entry: JournalEntry): void {
    this.#core.turn.run(() => this.#core.put(entry));
  }

  close(): void {
    const { state, deps } = this.#core;
    this.record({ kind: 'session', event: 'stop', boot: state.boot, bootId: deps.bootId });
  }

  /** What waited for orders to close or fill. In this order, until all rest. */
  #work(): void {
    this.#withdrawals.work();
    this.#placement.work();
    this.#quotes.work();
    this.#targets.work();
    this.#programs.work();
    this.#programTargets.work();
    this.#flatten.work();
    this.#treasury.work();
    this.#stop.work();
  }

  #apply(slot: StrategySlot, action: Action): void {
    const core = this.#core;
    switch (action.kind) {
      case 'quote':
        this.#quotes.quote(slot, action);
        return;
      case 'note':
        core.note(slot.tag, action.text, action.data);
        return;
      case 'place':
        core.decision(slot.tag, action);
        this.#place.place(slot, action);
        return;
      case 'cancel': {
        core.decision(slot.tag, action);
        if (this.#programs.cancel(slot.tag, action.ref) !== undefined) return;
        const order = this.#place.cancel(slot, action);
        if (order?.origin === 'quote') this.#quotes.clear(slot.tag, order.instrument.symbol, order.tag);
        if (order?.origin === 'target') this.#targets.forget(order);
        return;
      }
      case 'cancelAll':
        core.decision(slot.tag, action);
        this.#forget(slot.tag, action.symbol, action.tag);
        this.#programs.end(slot.tag, 'canceled', action.symbol, action.tag);
        this.#place.cancelAll(slot, action);
        return;
      case 'target':
        core.decision(slot.tag, action);
        this.#target(slot, action);
        return;
      case 'flatten':
        core.decision(slot.tag, action);
        this.#forget(slot.tag, action.symbol);
        this.#programs.end(slot.tag, 'flattened', action.symbol);
        this.#flatten.flatten(slot, action.symbol);
        return;
      case 'transfer':
      case 'advertise':
      case 'p2pTrade':
        core.decision(slot.tag, action);
        this.#treasury.submit(slot, action);
        return;
      default:
        if (isProgram(action.kind)) {
          core.decision(slot.tag, action);
          this.#programs.start(slot, action);
          return;
        }
        core.deny(slot.tag, 'note', {
          kind: 'denied',
          reason: 'unsupported',
          message: `this action is not supported: ${canonicalJson(action)}`,
        });
    }
  }

  #target(slot: StrategySlot, action: TargetAction): void {
    const via = programOf(action);
    if (via === undefined) this.#targets.target(slot, action);
    else this.#programTargets.target(slot, action, via);
  }

  /** Drops what a strategy wants to stand, without cancelling. */
  #forget(strategy: string, symbol?: string, tag?: string): void {
    this.#quotes.clear(strategy, symbol, tag);
    this.#targets.clear(strategy, symbol, tag);
    this.#programTargets.clear(strategy, symbol, tag);
  }
}

/** Throws `duplicate_strategy`. Call `restore` before `venue.start()`. */
export function createExecutor(deps: ExecutorDeps): Executor {
  return new WiredExecutor(deps);
}

function isList(actions: Action | readonly Action[]): actions is readonly Action[] {
  return Array.isArray(actions);
}
