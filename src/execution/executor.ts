/**
 * From actions to orders at a venue and back.
 *
 *   submit ─▶ rule of place · quote · target · flatten ─▶ placement (risk) ─▶ dispatcher (journal) ─▶ venue
 *   venue ─▶ intake ─▶ state (order machine, positions) ─▶ journal ─▶ events ─▶ session, strategies
 */
import type { Action, StopPolicy } from '../model/trading/action.ts';
import type { StrategyAccount } from '../model/trading/account.ts';
import { denied } from '../model/trading/deny-reason.ts';
import type { TidewireError } from '../model/errors.ts';
import type { JournalEntry, UnprotectedAbout } from '../model/entries/journal.ts';
import type { Cancel, Gate, StateStore } from '../model/ports.ts';
import type { ArmedStop, ProgramUpdate } from '../model/trading/program.ts';
import type { StrategyTreasury } from '../model/funds/strategy-treasury.ts';
import { createAccountView } from './account-view.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import { leavesAnything } from './rules/holdings.ts';
import type { AlarmCode, ExecutorEvent } from '../spine/events.ts';
import type { ExecutorDeps, RestoreReport } from './executor-types.ts';
import { Closing } from './rules/closing.ts';
import { Intake } from './intake/intake.ts';
import { canonicalJson, plainJson } from '../model/text/canonical.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import { isClosed, isUnresolved } from '../spine/orders/order-machine.ts';
import { HumanCommands } from './human-commands.ts';
import { Place } from './rules/place.ts';
import { Placement } from './rules/placement.ts';
import { Programs } from './programs/programs.ts';
import { isProgram } from '../programs/rules.ts';
import { Protection } from './programs/protection.ts';
import { Quotes } from './rules/quote.ts';
import { createReconcilerPort } from './reconciler-port.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import { restore } from './start.ts';
import type { LossOfDay } from '../risk/losses/losses.ts';
import type { Replay } from '../spine/replay.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { Targets } from './rules/target.ts';
import { TreasuryService } from '../treasury/service.ts';
import { Withdrawals } from './rules/withdrawals.ts';

export class Executor {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #withdrawals: Withdrawals;
  readonly #placement: Placement;
  readonly #place: Place;
  readonly #quotes: Quotes;
  readonly #targets: Targets;
  readonly #closing: Closing;
  readonly #programs: Programs;
  readonly #protection: Protection;
  readonly #treasury: TreasuryService;
  readonly #accounts = new Map<string, StrategyAccount>();
  readonly #valued = (): void => {
    this.#core.risk.look(this.#core.now());
    this.#treasury.bookLate();
  };
  readonly reconcilerPort: ReconcilerPort;
  readonly human: HumanCommands;
  /** Money movements that a human orders, without an order. */
  readonly moneyByHand: TreasuryService['byHand'];

  /** Throws `duplicate_strategy`. Call `restore` before `venue.start()`. */
  constructor(deps: ExecutorDeps) {
    const core = (this.#core = new Core(deps, () => this.#work()));
    const dispatcher = (this.#dispatcher = new Dispatcher(core));
    const placement = (this.#placement = new Placement(core, dispatcher));
    this.#place = new Place(core, dispatcher, placement);
    this.#quotes = new Quotes(core, dispatcher, placement);
    const treasury = (this.#treasury = new TreasuryService(core));
    this.#closing = new Closing(core, dispatcher, placement, treasury);
    this.#programs = new Programs(core, dispatcher, placement, (slot, symbol) => {
      this.#forget(slot.tag, symbol);
      this.#closing.flatten(slot, symbol);
    });
    this.#targets = new Targets(core, dispatcher, placement, this.#programs);
    this.#protection = new Protection(core, (...what) => this.#programs.covered(...what));
    const intake = new Intake(core, dispatcher, treasury);
    this.#withdrawals = new Withdrawals(core, dispatcher, (what, tag, symbol) => {
      if (what === 'all') this.#forget(tag, symbol);
      else this.#quotes.clear(tag, symbol);
    });
    for (const gate of [...intake.gates, dispatcher.blocked, dispatcher.ends]) core.gates.add(gate);
    deps.venue.listen((events) => core.turn.run(() => events.forEach((event) => intake.event(event))));
    this.human = new HumanCommands(core);
    this.moneyByHand = treasury.byHand;
    this.reconcilerPort = createReconcilerPort(core, intake, dispatcher);
  }

  /**
   * Rebuilds the state from the journal and writes the start row. Call once, before `venue.start()`. `begun`: continues
   * from it.
   */
  restore(begun?: Replay): RestoreReport {
    const report = restore(this.#core, begun);
    this.#core.turn.run(() => this.#treasury.findLate());
    return report;
  }

  /** Applies each action separately, in order. Denials are published as events. Throws `unknown_strategy`. */
  submit(tag: string, actions: Action | readonly Action[]): void {
    const slot = this.#core.slot(tag);
    if (this.#targets.stands(slot, actions)) this.#core.turn.pass();
    else this.#applyAll(slot, Array.isArray(actions) ? (actions as readonly Action[]) : [actions as Action]);
  }

  #applyAll(slot: StrategySlot, actions: readonly Action[]): void {
    this.#core.turn.run(() => actions.forEach((action) => this.#apply(slot, action)));
  }

  /** Continues what a dead process left unfinished. Call once the account was reconciled. Throws `unknown_strategy`. */
  goOn(tag: string): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      this.#closing.goOn(slot);
      this.#programs.goOn(slot);
    });
  }

  account(tag: string): StrategyAccount {
    const account = this.#accounts.get(tag) ?? createAccountView(this.#core, this.#core.slot(tag).tag, this.#programs);
    this.#accounts.set(tag, account);
    return account;
  }

  treasury(tag: string): StrategyTreasury {
    return this.#treasury.view(this.#core.slot(tag).tag);
  }

  /** Values that a strategy keeps over restarts, under its own names. Throws `unknown_strategy`. */
  stateStore(tag: string): StateStore {
    const core = this.#core;
    const { tag: own } = core.slot(tag);
    const keyOf = (key: string): string => (key.startsWith(`${own}/`) ? key : `${own}/${key}`);
    return {
      get: (key) => core.state.values.get(keyOf(key)),
      set: (key, json) => core.turn.run(() => core.spine.commit({ kind: 'state', key: keyOf(key), value: json })),
    };
  }

  /** All input during `work` becomes durable together, or not at all. */
  together(work: () => void): void {
    this.#core.turn.together(work);
  }

  listen(listener: (event: ExecutorEvent) => void): Cancel {
    return this.#core.turn.listen(listener);
  }

  /** Count of begun turns. While it is unchanged, everything belongs to one chain at one instant. */
  get turns(): number {
    return this.#core.turn.begun;
  }

  counters(tag?: string): Readonly<OrderCounters> {
    return { ...(tag === undefined ? this.#core.total : this.#core.counters(tag)) };
  }

  /**
   * Denies new actions and carries out the policy; ends with a `stopped` event. `ends`: the session ends with it;
   * `keepsPrograms`: policy `cancel` cancels their orders but keeps the programs for the next start. Else programs that
   * the policy leaves stay at work: nobody else watches what they protect.
   */
  stop(tag: string, policy: StopPolicy, ends?: { readonly keepsPrograms: boolean }): void {
    const slot = this.#core.slot(tag);
    this.#core.turn.run(() => {
      this.#forget(tag);
      const isKept = policy === 'leave' || (policy === 'cancel' && ends?.keepsPrograms === true);
      if (!isKept) this.#programs.end(tag, policy === 'flatten' ? 'flattened' : 'stopped');
      else if (ends !== undefined) this.#programs.leave(tag);
      this.#closing.stop(slot, policy);
    });
  }

  /** The code of a strategy threw: whoever runs it stops it alone. */
  threw(tag: string, message: string): void {
    this.#core.turn.run(() => this.#core.alarm('strategy_stopped', message, undefined, tag));
  }

  /** Latches durably and cancels all own orders; idempotent. */
  kill(reason: string): void {
    const core = this.#core;
    // The latch needs nothing else; everything below may fail.
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
      this.#treasury.advertisements.withdraw();
      this.#dispatcher.cancel([...core.state.orders.allLive()], true);
      // Cancels leave before the rules run, because the rules may fail.
      core.departures.leave(core.deps.venue);
    });
  }

  /** Why the journal cannot be written. Then only intents without a durable row leave, such as cancels. */
  get journalFailure(): TidewireError | undefined {
    return this.#core.writer.failure;
  }

  /** How often a kill was commanded in this process while the switch was on. */
  get killPresses(): number {
    return this.#core.kill.presses;
  }

  get killed(): boolean {
    return this.#core.kill.on;
  }

  get state(): StateView {
    return this.#core.state;
  }

  addGate(gate: Gate): void {
    this.#core.gates.add(gate);
  }

  /** Checks whether prices of programs are stale. Call about once a second. */
  readonly lookAtPrograms = (): void => this.#core.turn.run(() => this.#programs.look());

  /** Checks whether a position of a strategy with `protect` has no exit. True: call again in about a second. */
  readonly lookAtProtection = (): boolean => {
    this.#core.turn.run(() => this.#protection.look());
    return this.#protection.isPending;
  };

  /** Journals the gates that changed for these symbols since the last call. */
  lookAtGates(symbols: readonly string[]): void {
    this.#core.turn.run(() => this.#core.gates.look(symbols));
  }

  /** Oldest first. All programs with ended ones, or one strategy's working programs. */
  programs(workingOf?: string): readonly ProgramUpdate[] {
    return this.#programs.list(workingOf);
  }

  /** Stops that programs have armed in the symbol. */
  stops(symbol: string): readonly ArmedStop[] {
    return this.#programs.stops(symbol);
  }

  /** Positions without an exit, from their alarm on. */
  get unprotected(): readonly UnprotectedAbout[] {
    return this.#protection.unprotected;
  }

  /** Unix ms: what a valuation would find earlier is found as well when the next order is judged. */
  valuationDueAt(): number {
    const now = this.#core.now();
    return this.#treasury.hasLate ? now : this.#core.risk.lookDueAt(now);
  }

  /** For the limits of losses, also while no order is judged. */
  valueAccount(): void {
    this.#core.turn.run(this.#valued);
  }

  /** Estimated value of the trading account at mids, reporting currency. Undefined without prices. */
  equity(): number | undefined {
    const equity = this.#core.risk.losses.equity.at(this.#core.now());
    return Number.isNaN(equity) ? undefined : equity;
  }

  /** Negative for a gain. By the last valuation since that UTC day began. */
  lossOfDay(): LossOfDay | undefined {
    return this.#core.risk.losses.equity.lossOfDay;
  }

  /** Strategies with a loss limit, by tag. */
  strategyLosses(): ReadonlyMap<string, LossOfDay> {
    return this.#core.risk.losses.ofStrategies;
  }

  /** Orders and money movements in flight or of unknown outcome. */
  unresolvedCount(): number {
    const { orders, money } = this.#core.state;
    return orders.allLive().filter(({ progress }) => isUnresolved(progress)).length + money.unresolved().length;
  }

  /** Ended orders whose trades are not all booked. */
  unbookedCount(): number {
    return this.#core.state.orders.allLive().filter(({ progress }) => isClosed(progress)).length;
  }

  /** True for a live order, a position that an order could close, a latch, a pause, a halt or an open decision. */
  leavesAnything(): boolean {
    return leavesAnything(this.#core);
  }

  /** In log, journal, alerts and the warnings of the result. */
  alarm(code: AlarmCode, message: string): void {
    this.#core.turn.run(() => this.#core.alarm(code, message));
  }

  record(entry: JournalEntry): void {
    const { spine, turn } = this.#core;
    turn.run(() => (entry.kind === 'record' ? spine.commit(entry) : this.#core.put(entry)));
  }

  /** Writes the clean stop row, the last one. The owner of the journal closes it. */
  close(): void {
    const { state, deps } = this.#core;
    this.record({ kind: 'session', event: 'stop', boot: state.boot, bootId: deps.bootId });
    this.#core.writer.close();
  }

  /** Runs the rules that waited for orders to close or fill, in this order, until nothing changes. */
  #work(): void {
    this.#withdrawals.work();
    this.#placement.work();
    this.#quotes.work();
    this.#targets.work();
    this.#programs.work();
    this.#treasury.work();
    this.#closing.work();
  }

  #apply(slot: StrategySlot, action: Action): void {
    const core = this.#core;
    const { tag } = slot;
    if (action.kind === 'quote') return this.#quotes.quote(slot, action);
    if (action.kind === 'note') return core.note(tag, action.text, action.data);
    if (core.writer.keeps) core.put({ kind: 'decision', strategy: tag, action: plainJson(action) });
    switch (action.kind) {
      case 'place':
        return this.#place.place(slot, action);
      case 'cancel': {
        if (this.#programs.cancel(tag, action.ref) !== undefined) return;
        const order = this.#place.cancel(slot, action);
        if (order?.origin === 'quote') this.#quotes.clear(tag, order.instrument.symbol, order.tag);
        if (order?.origin === 'target') this.#targets.forget(order);
        return;
      }
      case 'cancelAll':
        this.#forget(tag, action.symbol, action.tag);
        this.#programs.end(tag, 'canceled', action.symbol, action.tag);
        return this.#place.cancelAll(slot, action);
      case 'target':
        return this.#targets.target(slot, action);
      case 'flatten':
        this.#forget(tag, action.symbol);
        this.#programs.end(tag, 'flattened', action.symbol);
        return this.#closing.flatten(slot, action.symbol);
      case 'transfer':
      case 'advertise':
      case 'p2pTrade':
        return this.#treasury.submit(slot, action);
      default: {
        if (isProgram(action.kind)) return void this.#programs.start(slot, action);
        core.deny(tag, 'note', denied('unsupported', `this action is not supported: ${canonicalJson(action)}`));
      }
    }
  }

  /** Drops a strategy's standing wishes without cancelling. */
  #forget(strategy: string, symbol?: string, tag?: string): void {
    this.#quotes.clear(strategy, symbol, tag);
    this.#targets.clear(strategy, symbol, tag);
  }
}
