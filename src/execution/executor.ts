/**
 * From actions to orders at a venue and back.
 *
 *   submit ─▶ place · quote · target · flatten handler ─▶ placement (risk) ─▶ dispatcher (journal) ─▶ venue
 *   venue ─▶ intake ─▶ state (order machine, positions) ─▶ journal ─▶ events ─▶ session, strategies
 */
import type { Action, StopPolicy } from '../model/action.ts';
import type { StrategyAccount } from '../model/account.ts';
import type { TidewireError } from '../model/errors.ts';
import type { JournalEntry } from '../model/journal.ts';
import type { Cancel, Gate, StateStore } from '../model/ports.ts';
import type { StrategyTreasury } from '../model/strategy-treasury.ts';
import { controlsEntry } from './controls.ts';
import { createAccountView } from './account-view.ts';
import type { Core } from './core.ts';
import { apply, forgetAll, wiredHandlers, type Handlers } from './handlers.ts';
import type { ExecutorEvent } from '../spine/events.ts';
import type { Executor, ExecutorDeps, RestoreReport } from './executor-types.ts';
import { canonicalJson } from '../model/canonical.ts';
import { holdings } from './holdings.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import { isClosed, isUnresolved } from '../spine/orders/order-machine.ts';
import { clearKill, divide, enable, overrideLimit, resume, widen } from './operator-commands.ts';
import { requireOwnJournal } from './own-journal.ts';
import { restoredText } from '../risk/restored-gate.ts';
import { resumed } from '../journal/resume.ts';
import { createReconcilerPort } from './reconciler-port.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import { regridAll } from '../spine/regrid.ts';
import { stateHash } from '../spine/replay.ts';

export type { Executor, ExecutorDeps } from './executor-types.ts';

/** A class: V8 makes object literals with getters slow from the second one on. */
class WiredExecutor implements Executor {
  readonly #core: Core;
  readonly #handlers: Handlers;
  readonly #accounts = new Map<string, StrategyAccount>();
  readonly #valueAccount: () => void;
  readonly reconcilerPort: ReconcilerPort;

  constructor(handlers: Handlers) {
    const { core, treasury } = handlers;
    this.#core = core;
    this.#handlers = handlers;
    this.reconcilerPort = createReconcilerPort(core, handlers.intake, handlers.dispatcher);
    this.#valueAccount = () => {
      core.risk.look(core.now());
      treasury.bookLate();
    };
  }

  restore(): RestoreReport {
    return restore(this.#handlers);
  }

  submit(tag: string, actions: Action | readonly Action[]): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      if (isList(actions)) for (const action of actions) apply(this.#handlers, slot, action);
      else apply(this.#handlers, slot, actions);
    });
  }

  account(tag: string): StrategyAccount {
    let account = this.#accounts.get(tag);
    if (account === undefined) {
      account = createAccountView(this.#core, this.#core.slot(tag).tag);
      this.#accounts.set(tag, account);
    }
    return account;
  }

  treasury(tag: string): StrategyTreasury {
    return this.#handlers.treasury.view(this.#core.slot(tag).tag);
  }

  stateStore(tag: string): StateStore {
    return createStateStore(this.#core, this.#core.slot(tag).tag);
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

  stop(tag: string, policy: StopPolicy): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      forgetAll(this.#handlers, tag);
      this.#handlers.stop.stop(slot, policy);
    });
  }

  kill(reason: string): void {
    kill(this.#handlers, reason);
  }

  clearKill(reason: string): void {
    clearKill(this.#core, reason);
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

  undivided(): ReturnType<Executor['undivided']> {
    return this.#core.state.undivided.all;
  }

  divide(id: string, choice: string, reason: string): void {
    divide(this.#core, id, choice, reason);
  }

  resume(symbol: string, reason: string): void {
    resume(this.#core, symbol, reason);
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
    this.#core.turn.run(() => this.#core.gates.look(symbols));
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
    return unresolvedCount(this.#core);
  }

  unbookedCount(): number {
    return [...this.#core.state.orders.allLive()].filter((order) => isClosed(order.progress)).length;
  }

  leavesAnything(): boolean {
    const { orders, latches, halts, undivided } = this.#core.state;
    const awaitsHuman = latches.size > 0 || halts.size > 0 || undivided.all.length > 0;
    return awaitsHuman || orders.allLive().length > 0 || holdings(this.#core).length > 0;
  }

  record(entry: JournalEntry): void {
    this.#core.turn.run(() => this.#core.put(entry));
  }

  close(): void {
    const { state, deps } = this.#core;
    this.record({ kind: 'session', event: 'stop', boot: state.boot, bootId: deps.bootId });
  }
}

/** Throws `duplicate_strategy`. Call `restore` before `venue.start()`. */
export function createExecutor(deps: ExecutorDeps): Executor {
  return new WiredExecutor(wiredHandlers(deps));
}

function isList(actions: Action | readonly Action[]): actions is readonly Action[] {
  return Array.isArray(actions);
}

function kill(handlers: Handlers, reason: string): void {
  const { core, dispatcher, treasury } = handlers;
  // The latch needs nothing; everything below may fail.
  if (!core.kill.latch(reason)) return;
  // A failed write is tried again with the next rows.
  core.spine.commit({ kind: 'kill', on: true, reason });
  core.turn.run(() => {
    core.writer.flush();
    core.alarm('killed', `the kill switch is on: ${reason}`);
    for (const tag of core.slots.keys()) forgetAll(handlers, tag);
    treasury.withdraw();
    dispatcher.cancel(
      [...core.state.orders.allLive()].filter((order) => !isClosed(order.progress)),
      true,
    );
    // Cancels leave before the handlers run, which may fail.
    core.departures.leave(core.deps.venue);
  });
}

function unresolvedCount({ state }: Core): number {
  const orders = [...state.orders.allLive()].filter((order) => isUnresolved(order.progress));
  return orders.length + state.money.unresolved().length;
}

function restore({ core, treasury }: Handlers): RestoreReport {
  const replay = resumed(core.deps.journal);
  const { state } = replay;
  requireOwnJournal(state.owner, core.deps.facts);
  const clean = state.cleanStop;
  // Accepted in an earlier process: not counted here, and no end of a streak of rejects.
  for (const orders of [state.orders.allLive(), state.orders.remembered()])
    for (const order of orders) order.counted = order.ackedAt !== 0;
  const { deps } = core;
  const boot = state.boot + 1;
  const start = {
    kind: 'session',
    event: 'start',
    boot,
    bootId: deps.bootId,
    ...(deps.facts === undefined ? {} : { facts: deps.facts }),
  } as const;
  // The start row turns unanswered orders into unknown ones, also in later replays.
  replay.row({ seq: deps.journal.lastSeq + 1, ts: core.now(), entry: start });
  const changed = regridAll(state, deps.instruments);
  core.adopt(state);
  core.put(start);
  for (const instrument of changed) core.putInstrument(instrument);
  if (deps.explains === true) putControls(core);
  core.writer.flush();
  core.turn.run(() => treasury.findLate());
  const open = [...state.orders.allLive()].filter((order) => !isClosed(order.progress));
  return {
    rows: replay.rows - 1,
    boot,
    clean,
    openOrders: open.length,
    unknownOrders: open.filter((order) => order.progress.state === 'unknown').length,
    killed: core.kill.on,
    restoredBecause: state.restored === undefined ? null : restoredText(state.restored),
  };
}

function putControls(core: Core): void {
  const entry = controlsEntry(core.deps);
  const text = canonicalJson(entry.data);
  if (core.state.controls === text) return;
  core.spine.commit(entry);
}

function createStateStore(core: Core, tag: string): StateStore {
  const keyOf = (key: string): string => (key.startsWith(`${tag}/`) ? key : `${tag}/${key}`);
  return {
    get: (key) => core.state.values.get(keyOf(key)),
    set: (key, json) => core.turn.run(() => core.spine.commit({ kind: 'state', key: keyOf(key), value: json })),
  };
}
