/**
 * The executor: from actions (data) to orders at a venue, and back. It knows a `Venue` and cannot tell the exchange
 * from its simulation (wall 1). This file wires the desks and is what the session calls; each desk is one file.
 *
 *   submit ─▶ place · quote · target · flatten desk ─▶ placement (risk) ─▶ dispatcher (journal) ─▶ venue
 *   venue ─▶ intake ─▶ state (order machine, positions) ─▶ journal ─▶ events ─▶ session, strategies
 */
import type { Action } from '../model/action.ts';
import type { StrategyAccount } from '../model/account.ts';
import type { StateStore } from '../model/ports.ts';
import { controlsEntry } from './controls.ts';
import { createAccountView } from './account-view.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Executor, ExecutorDeps, RestoreReport, StrategySlot } from './executor-types.ts';
import { Dust } from './dust.ts';
import { FlattenDesk } from './flatten-desk.ts';
import { Intake } from './intake.ts';
import { canonicalJson } from './journal/canonical.ts';
import { holdings } from './holdings.ts';
import { isClosed, isUnresolved } from './order-machine.ts';
import { clearKill, enable, overrideLimit, resume, widen } from './operator-commands.ts';
import { PlaceDesk } from './place-desk.ts';
import { Placement } from './placement.ts';
import { QuoteDesk } from './quote-desk.ts';
import { ReductionDesk } from './reduction-desk.ts';
import { requireOwnJournal } from './own-journal.ts';
import { restoredText } from './restored-gate.ts';
import { createReconcilerPort, type ReconcilerPort } from './reconcile/port.ts';
import { regridAll } from './regrid.ts';
import { replayRows, stateHash } from './replay.ts';
import { StopDesk } from './stop-desk.ts';
import { TargetDesk } from './target-desk.ts';
import { LateFlows } from './treasury/late-flows.ts';
import { TreasuryRoom } from './treasury/room.ts';

export type { Executor, ExecutorDeps } from './executor-types.ts';

/** What the reconciler needs of an executor; made together with it, kept away from the session's interface. */
const reconcilerPorts = new WeakMap<Executor, ReconcilerPort>();

export function reconcilerPortOf(executor: Executor): ReconcilerPort {
  const port = reconcilerPorts.get(executor);
  if (port === undefined) throw new RangeError('this executor was not made by createExecutor');
  return port;
}

interface Desks {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly place: PlaceDesk;
  readonly quotes: QuoteDesk;
  readonly targets: TargetDesk;
  readonly flatten: FlattenDesk;
  readonly stop: StopDesk;
  readonly treasury: TreasuryRoom;
}

/** Throws `duplicate_strategy`. Listens to the venue at once; call `restore` before `venue.start()`. */
export function createExecutor(deps: ExecutorDeps): Executor {
  const core = new Core(deps);
  const dispatcher = new Dispatcher(core);
  const placement = new Placement(core, dispatcher);
  const place = new PlaceDesk(core, dispatcher, placement);
  const quotes = new QuoteDesk(core, dispatcher, placement);
  const dust = new Dust(core);
  const targets = new TargetDesk({ core, dispatcher, placement, dust });
  const flatten = new FlattenDesk({ core, dispatcher, placement, dust });
  const treasury = new TreasuryRoom(core, deps.treasury);
  const late = new LateFlows(core);
  const stop = new StopDesk(core, dispatcher, flatten, treasury);
  const intake = new Intake(core, dispatcher);
  const desks: Desks = { core, dispatcher, place, quotes, targets, flatten, stop, treasury };
  core.desks.push(
    intake.liquidations,
    new ReductionDesk(core, dispatcher),
    placement,
    quotes,
    targets,
    flatten,
    treasury,
    stop,
  );
  core.onBalances = (rows) => treasury.balances(rows, false);
  core.gates.add(intake.liquidations);
  for (const gate of intake.settingsGates) core.gates.add(gate);
  core.gates.add(dispatcher.blockedGate);
  core.onCancelable = (order) => dispatcher.cancel([order], false);
  core.onLatched = (tag) => {
    forgetAll(desks, tag);
    const working = place.ordersOf(tag).filter(({ exits }) => !exits);
    dispatcher.cancel(working, true);
  };
  core.onHalted = (symbol) => {
    for (const tag of core.slots.keys()) forgetAll(desks, tag, symbol);
    dispatcher.cancel(
      core.state.orders.live(symbol).filter(({ exits }) => !exits),
      true,
    );
  };
  deps.venue.listen((events) => {
    core.turn.run(() => {
      for (const event of events) intake.event(event);
    });
  });
  const accounts = new Map<string, StrategyAccount>();
  const executor: Executor = {
    restore: () => restore(core, late),
    submit: (tag, actions) => {
      const slot = core.slot(tag);
      core.turn.run(() => {
        if (isList(actions)) for (const action of actions) apply(desks, slot, action);
        else apply(desks, slot, actions);
      });
    },
    account: (tag) => {
      let account = accounts.get(tag);
      if (account === undefined) accounts.set(tag, (account = createAccountView(core, core.slot(tag).tag)));
      return account;
    },
    treasury: (tag) => treasury.view(core.slot(tag).tag),
    stateStore: (tag) => createStateStore(core, core.slot(tag).tag),
    listen: (listener) => core.turn.listen(listener),
    get turns() {
      return core.turn.begun;
    },
    counters: (tag) => ({ ...(tag === undefined ? core.total : core.counters(tag)) }),
    stop: (tag, policy) => {
      const slot = core.slot(tag);
      core.turn.run(() => {
        forgetAll(desks, tag);
        stop.stop(slot, policy);
      });
    },
    kill: (reason) => kill(desks, reason),
    clearKill: (reason) => clearKill(core, reason),
    get journalFailure() {
      return core.writer.failure;
    },
    get killReason() {
      return core.state.killReason;
    },
    get killed() {
      return core.kill.on;
    },
    enable: (tag, reason) => enable(core, core.slot(tag).tag, reason),
    resume: (symbol, reason) => resume(core, symbol, reason),
    widen: (tag, reason) => widen(core, core.slot(tag).tag, reason),
    overrideLimit: (override) => overrideLimit(core, override),
    addGate: (gate) => core.gates.add(gate),
    lookAtGates: (symbols) => core.turn.run(() => core.gates.look(symbols)),
    valueAccount: () => valueAccount(core, late),
    equity: () => {
      const equity = core.risk.equity(core.now());
      return Number.isNaN(equity) ? undefined : equity;
    },
    lossOfDay: () => core.risk.lossOfDay,
    strategyLosses: () => core.risk.strategyLosses,
    stateHash: () => stateHash(core.state),
    unresolvedCount: () => unresolvedCount(core),
    unbookedCount: () => [...core.state.orders.allLive()].filter((order) => isClosed(order.progress)).length,
    holdsAnything: () => core.state.orders.allLive().length > 0 || holdings(core).length > 0,
    record: (entry) => core.turn.run(() => core.put(entry)),
    close: () => executor.record({ kind: 'session', event: 'stop', boot: core.state.boot, bootId: deps.bootId }),
  };
  reconcilerPorts.set(executor, createReconcilerPort(core, intake, dispatcher));
  return executor;
}

function isList(actions: Action | readonly Action[]): actions is readonly Action[] {
  return Array.isArray(actions);
}

function apply(desks: Desks, slot: StrategySlot, action: Action): void {
  const { core } = desks;
  switch (action.kind) {
    case 'quote':
      desks.quotes.quote(slot, action);
      return;
    case 'note':
      core.note(slot.tag, action.text, action.data);
      return;
    case 'place':
      core.decision(slot.tag, action);
      desks.place.place(slot, action);
      return;
    case 'cancel': {
      core.decision(slot.tag, action);
      const order = desks.place.cancel(slot, action);
      if (order?.origin === 'quote') desks.quotes.clear(slot.tag, order.instrument.symbol, order.tag);
      if (order?.origin === 'target') desks.targets.forget(order);
      return;
    }
    case 'cancelAll':
      core.decision(slot.tag, action);
      desks.quotes.clear(slot.tag, action.symbol, action.tag);
      desks.targets.clear(slot.tag, action.symbol, action.tag);
      desks.place.cancelAll(slot, action);
      return;
    case 'target':
      core.decision(slot.tag, action);
      desks.targets.target(slot, action);
      return;
    case 'flatten':
      core.decision(slot.tag, action);
      desks.quotes.clear(slot.tag, action.symbol);
      desks.targets.clear(slot.tag, action.symbol);
      desks.flatten.flatten(slot, action.symbol);
      return;
    case 'transfer':
      core.decision(slot.tag, action);
      desks.treasury.transfer(slot, action);
      return;
    case 'advertise':
      core.decision(slot.tag, action);
      desks.treasury.advertise(slot, action);
      return;
    case 'p2pTrade':
      core.decision(slot.tag, action);
      desks.treasury.p2pTrade(slot, action);
      return;
    default:
      core.deny(slot.tag, 'note', {
        kind: 'denied',
        reason: 'unsupported',
        message: `this action is not supported: ${canonicalJson(action)}`,
      });
  }
}

function forgetAll(desks: Desks, tag: string, symbol?: string): void {
  desks.quotes.clear(tag, symbol);
  desks.targets.clear(tag, symbol);
}

function kill(desks: Desks, reason: string): void {
  const { core, dispatcher, treasury } = desks;
  // The latch comes first and needs nothing; everything below may fail.
  if (!core.kill.latch(reason)) return;
  core.state.killReason = reason;
  core.turn.run(() => {
    // It allows nothing, so it is never taken back: a write that fails is tried again with the rows that follow.
    core.put({ kind: 'kill', on: true, reason });
    core.writer.flush();
    core.alarm('killed', `the kill switch is on: ${reason}`);
    for (const tag of core.slots.keys()) forgetAll(desks, tag);
    treasury.withdraw();
    dispatcher.cancel(
      [...core.state.orders.allLive()].filter((order) => !isClosed(order.progress)),
      true,
    );
    core.outgoing.leave();
  });
}

function unresolvedCount({ state }: Core): number {
  const orders = [...state.orders.allLive()].filter((order) => isUnresolved(order.progress));
  return orders.length + state.money.unresolved().length;
}

function valueAccount(core: Core, late: LateFlows): void {
  core.turn.run(() => {
    core.risk.look(core.now());
    late.book();
  });
}

function restore(core: Core, late: LateFlows): RestoreReport {
  const replay = replayRows(core.deps.journal.read());
  const { state } = replay;
  requireOwnJournal(state.owner, core.deps.facts);
  const clean = state.cleanStop;
  // That they were accepted is of an earlier process: no count of this one, and no end of a row of refusals.
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
  // The start row is what turns orders without an answer into unknown ones, here and in every later replay.
  replay.row({ seq: deps.journal.lastSeq + 1, ts: core.now(), entry: start });
  const changed = regridAll(state, deps.instruments);
  core.adopt(state);
  core.put(start);
  for (const instrument of changed) core.putInstrument(instrument);
  if (deps.explains === true) putControls(core);
  core.writer.flush();
  core.turn.run(() => late.find());
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
  core.state.controls = text;
  core.state.trials.controls(entry.data, core.now());
  core.put(entry);
}

function createStateStore(core: Core, tag: string): StateStore {
  const keyOf = (key: string): string => (key.startsWith(`${tag}/`) ? key : `${tag}/${key}`);
  return {
    get: (key) => core.state.values.get(keyOf(key)),
    set: (key, json) =>
      core.turn.run(() => {
        core.state.values.set(keyOf(key), json);
        core.put({ kind: 'state', key: keyOf(key), value: json });
      }),
  };
}
