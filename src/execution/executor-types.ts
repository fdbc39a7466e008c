/** The executor as the session and the reconciler see it. `executor.ts` makes one. */
import type { Action, StopPolicy } from '../model/action.ts';
import type { StrategyAccount } from '../model/account.ts';
import type { TidewireError } from '../model/errors.ts';
import type { Instruments } from '../model/instrument.ts';
import type { LimitOverrideEntry } from '../model/human-entries.ts';
import type { CreateIntentEntry, JournalEntry, JournalStore } from '../model/journal.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Gate, Logger, MarketReader, StateStore } from '../model/ports.ts';
import type { StrategyTreasury } from '../model/strategy-treasury.ts';
import type { Treasury } from '../model/treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { ExecutorEvent } from '../spine/events.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import type { ReconcilerPort } from '../reconciler/port.ts';
import type { ExecutionOptions } from './options.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { UndividedLiquidation } from '../spine/undivided.ts';

export interface ExecutorDeps {
  readonly venue: Venue;
  /** Absent: transfers and P2P are denied. */
  readonly treasury?: Treasury;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** The wall clock of the machine, Unix ms, which goes on while the machine sleeps; absent where nothing sleeps. */
  readonly wall?: () => number;
  readonly instruments: Instruments;
  readonly market: MarketReader;
  readonly gates: readonly Gate[];
  readonly options: ExecutionOptions;
  readonly strategies: readonly StrategySlot[];
  readonly logger: Logger;
  /** Unique per process start; part of every client order id. Letters, digits and `_`, at most 20. */
  readonly bootId: string;
  /** Currency in which equity and limits are valued (`account.reporting`). */
  readonly reporting: string;
  /** A simulation: nobody is asked whose a liquidation was of what several strategies held; each bears its part. */
  readonly asksNobody?: boolean;
  /** Keeps with each order and denial what the checks compared, for `why`. */
  readonly explains?: boolean;
  /** Facts of this session for the journal's `session` row: mode, account, build. Never secrets. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
  /** Orders that another process has sent for strategies of this session since it started, as intents; null: they cannot be read. */
  readonly sentElsewhere?: () => readonly CreateIntentEntry[] | null;
  readonly knobs?: Knobs;
}

export interface RestoreReport {
  /** Rows replayed. */
  readonly rows: number;
  /** This start's number, 1 for a new journal. */
  readonly boot: number;
  /** False when the last session did not end with a clean stop. */
  readonly clean: boolean;
  readonly openOrders: number;
  readonly unknownOrders: number;
  readonly killed: boolean;
  /** Why the journal is an older one, or one without its end; null when that is acknowledged, or never was. */
  readonly restoredBecause: string | null;
}

export interface Executor {
  /** Rebuilds the state from the journal and writes the `session` start row. Once, before `venue.start()`. */
  restore(): RestoreReport;
  /** Applies actions in order, each on its own. Never throws for what an action asks; denials come as events. */
  submit(tag: string, actions: Action | readonly Action[]): void;
  account(tag: string): StrategyAccount;
  /** The accounts and P2P as the strategy may see them. */
  treasury(tag: string): StrategyTreasury;
  stateStore(tag: string): StateStore;
  listen(listener: (event: ExecutorEvent) => void): Cancel;
  /** Turns begun so far: what is done and told between two changes of it is one chain of answers, within one instant. */
  readonly turns: number;
  /** Counters of one strategy, or of all. */
  counters(tag?: string): Readonly<OrderCounters>;
  /** Denies new actions of the strategy and carries out the policy; ends with a `stopped` event. */
  stop(tag: string, policy: StopPolicy): void;
  /** Latches the kill switch (durable) and cancels everything of ours; idempotent. */
  kill(reason: string): void;
  /** Opens the latch again; only ever on a human's command. */
  clearKill(reason: string): void;
  readonly killed: boolean;
  /** Why the kill switch is on. */
  readonly killReason: string | undefined;
  /** Takes the latch off a strategy (repeated executions, rejects in a row); only ever on a human's command. */
  enable(tag: string, reason: string): void;
  /**
   * Replaces one limit until a time, at most an hour away, or with `value` null takes that back; journalled. Only ever on
   * a human's command. Throws `limit_unknown`, `limit_value`.
   */
  overrideLimit(override: Omit<LimitOverrideEntry, 'kind' | 'from'>): void;
  /**
   * Ends the trial of the strategy's version, which it answers; journalled. Only ever on a human's command. Throws
   * `not_on_trial`, `trial_not_over`, `journal_failed`.
   */
  widen(tag: string, reason: string): string;
  /** Why the journal cannot be written; then nothing but cancels is sent any more. */
  readonly journalFailure: TidewireError | undefined;
  /** A human lets a halted symbol take risk again. */
  resume(symbol: string, reason: string): void;
  /** Liquidations of which a human is to say whose they were. */
  undivided(): readonly UndividedLiquidation[];
  /** A human says whose one was; journalled. Throws `decision_not_open`, `decision_choice`, `journal_failed`. */
  divide(id: string, choice: string, reason: string): void;
  addGate(gate: Gate): void;
  /** For the reconciler alone. */
  readonly reconcilerPort: ReconcilerPort;
  /** Journals which gates have closed or opened since the last look, for these symbols. */
  lookAtGates(symbols: readonly string[]): void;
  /** Values account and strategies: losses are counted from midnight and from the highest, whether or not an order is judged. */
  valueAccount(): void;
  /** Equity of the trading account in the reporting currency by mids; an estimate for limits and display. */
  equity(): number | undefined;
  /** What the account has lost since that UTC day began, below 0 what it has gained, by its last valuation; undefined before. */
  lossOfDay(): { readonly day: string; readonly amount: number } | undefined;
  /** The same of each strategy with a limit on it, by tag. */
  strategyLosses(): ReadonlyMap<string, { readonly day: string; readonly amount: number }>;
  /** Hash of the replayable state: equals that of a replay of the journal. */
  stateHash(): string;
  /** Orders and movements of money whose fate is not proved. */
  unresolvedCount(): number;
  /** Orders that have ended and of which the venue has told more than is booked: their trades are still to come. */
  unbookedCount(): number;
  /**
   * A strategy has an order that is open or of unknown outcome, holds as much as an order could close, or is latched; a symbol is
   * halted; or a decision is open.
   */
  leavesAnything(): boolean;
  /** A row of the session's own, with those of the turn: where it cannot be written the session ends as for any other. */
  record(entry: JournalEntry): void;
  /** Flushes, writes the clean stop row. The journal stays open: its owner closes it. */
  close(): void;
}
