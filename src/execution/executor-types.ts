/** The executor as the session and the reconciler see it. */
import type { Action, StopPolicy } from '../model/action.ts';
import type { StrategyAccount } from '../model/account.ts';
import type { TidewireError } from '../model/errors.ts';
import type { Instruments } from '../model/instrument.ts';
import type { LimitChange, LimitOverrideEntry } from '../model/human-entries.ts';
import type { CreateIntentEntry, JournalEntry, JournalStore, UnprotectedAbout } from '../model/journal.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Gate, Logger, MarketReader, StateStore } from '../model/ports.ts';
import type { ProgramUpdate } from '../model/program.ts';
import type { StrategyTreasury } from '../model/strategy-treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { ExecutorEvent } from '../spine/events.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import type { ExecutionOptions } from './options.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { UndividedLiquidation } from '../spine/undivided.ts';

export interface ExecutorDeps {
  readonly venue: Venue;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** Wall clock, Unix ms, which runs while the machine sleeps; absent where nothing sleeps. */
  readonly wall?: () => number;
  readonly instruments: Instruments;
  readonly market: MarketReader;
  readonly gates: readonly Gate[];
  readonly options: ExecutionOptions;
  readonly strategies: readonly StrategySlot[];
  readonly logger: Logger;
  /** Unique per process start; part of every client order id. Letters, digits and `_`, at most 20. */
  readonly bootId: string;
  /** Currency of equity and limits. */
  readonly reporting: string;
  /** Simulation: a liquidation of several strategies is divided pro rata. */
  readonly asksNobody?: boolean;
  /** Journals the figures of the checks with orders and denials, for `why`. */
  readonly explains?: boolean;
  /** For the `session` row: mode, account, build. Never secrets. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
  /** Orders that another process sent for these strategies since the start; null: not all can be known. */
  readonly sentElsewhere?: () => readonly CreateIntentEntry[] | null;
  readonly knobs?: Knobs;
}

export interface RestoreReport {
  readonly rows: number;
  /** Number of this start, 1 for a new journal. */
  readonly boot: number;
  readonly clean: boolean;
  readonly openOrders: number;
  readonly unknownOrders: number;
  readonly killed: boolean;
  /** Why the journal is an older copy or lacks its end; null when it is neither, or acknowledged. */
  readonly restoredBecause: string | null;
}

export interface Executor {
  /** Rebuilds the state from the journal and writes the start row. Once, before `venue.start()`. */
  restore(): RestoreReport;
  /** Applies each action on its own, in order; denials come as events. Throws `unknown_strategy`. */
  submit(tag: string, actions: Action | readonly Action[]): void;
  /** Goes on with what a process that died left under way. Once the account was compared. Throws `unknown_strategy`. */
  goOn(tag: string): void;
  account(tag: string): StrategyAccount;
  treasury(tag: string): StrategyTreasury;
  stateStore(tag: string): StateStore;
  /** Oldest first: of all strategies, ended ones included, or those of one that work. */
  programs(workingOf?: string): readonly ProgramUpdate[];
  /** Positions without an exit, since the alarm that said so. */
  readonly unprotected: readonly UnprotectedAbout[];
  listen(listener: (event: ExecutorEvent) => void): Cancel;
  /** Turns begun. What happens between two changes of it is one chain within one instant. */
  readonly turns: number;
  counters(tag?: string): Readonly<OrderCounters>;
  /** Denies new actions and carries out the policy; ends with a `stopped` event. */
  /** `keepsPrograms`: the policy `cancel` leaves programs, without their orders, to the next start. */
  stop(tag: string, policy: StopPolicy, keepsPrograms?: boolean): void;
  /** Latches durably and cancels all own orders; idempotent. */
  kill(reason: string): void;
  /** Only on a human's command. */
  clearKill(reason: string): void;
  readonly killed: boolean;
  readonly killReason: string | undefined;
  /** Unlatches a strategy. Only on a human's command. */
  enable(tag: string, reason: string): void;
  /** A strategy takes no new risk, or takes it again; its resting orders of new risk go. Only on a human's command. */
  pause(tag: string, on: boolean, reason: string): void;
  /**
   * Replaces one limit for at most an hour, or with `value` null restores it. Only on a human's command. Throws
   * `limit_unknown`, `limit_value`.
   */
  overrideLimit(override: Omit<LimitOverrideEntry, 'kind' | 'from'>): void;
  /**
   * Ends the trial of the strategy's version and returns the version. Only on a human's command. Throws `not_on_trial`,
   * `trial_not_over`, `journal_failed`.
   */
  widen(tag: string, reason: string): string;
  /** Why the journal cannot be written; then only what needs no durable row leaves, such as cancels. */
  readonly journalFailure: TidewireError | undefined;
  /** Only on a human's command. */
  resume(symbol: string, reason: string): void;
  /** Strategies and symbols that take no new risk until a human resumes them, with the reason. Live. */
  standing(): {
    readonly latches: ReadonlyMap<string, string>;
    readonly pauses: ReadonlyMap<string, string>;
    readonly halts: ReadonlyMap<string, string>;
  };
  /** What it would change. Throws as `overrideLimit`; changes nothing. */
  checkOverride(override: Omit<LimitOverrideEntry, 'kind' | 'from'>): LimitChange;
  undivided(): readonly UndividedLiquidation[];
  /** Only on a human's command. Throws `decision_not_open`, `decision_choice`, `journal_failed`. */
  divide(id: string, choice: string, reason: string): void;
  addGate(gate: Gate): void;
  /** For the reconciler alone. */
  readonly reconcilerPort: ReconcilerPort;
  /** Journals the gates that changed for these symbols since the last call. */
  lookAtGates(symbols: readonly string[]): void;
  /** For the limits of losses, also while no order is judged. */
  valueAccount(): void;
  /** Trading account in the reporting currency by mids, an estimate; undefined without prices. */
  equity(): number | undefined;
  /** Negative for a gain; by the last valuation since that UTC day began. */
  lossOfDay(): { readonly day: string; readonly amount: number } | undefined;
  /** Strategies with such a limit, by tag. */
  strategyLosses(): ReadonlyMap<string, { readonly day: string; readonly amount: number }>;
  /** Equals the hash of a replay of the journal. */
  stateHash(): string;
  /** Orders and money movements in flight or of unknown outcome. */
  unresolvedCount(): number;
  /** Ended orders whose trades are not all booked. */
  unbookedCount(): number;
  /** True for a live order, a position that an order could close, a latch, a pause, a halt or an open decision. */
  leavesAnything(): boolean;
  record(entry: JournalEntry): void;
  /** Writes the clean stop row. The owner of the journal closes it. */
  close(): void;
}
