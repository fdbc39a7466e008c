/** Dependencies of an executor, and the report of its start. */
import type { Instruments } from '../model/market/instrument.ts';
import type { CreateIntentEntry, JournalStore } from '../model/entries/journal.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Clock, Gate, Logger, MarketReader } from '../model/ports.ts';
import type { Venue } from '../model/venue.ts';
import type { BookedFill } from './intake/own-fills.ts';
import type { ExecutionOptions } from './options.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';

export interface ExecutorDeps {
  readonly venue: Venue;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** Wall clock, Unix ms. It advances while the machine sleeps; absent in a simulation. */
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
  /** Orders that another process sent for these strategies since the start. Null: the list may be incomplete. */
  readonly sentElsewhere?: () => readonly CreateIntentEntry[] | null;
  /** Fills of a strategy in other sessions of the account. */
  readonly filledElsewhere?: (strategy: string) => readonly BookedFill[];
  /** Why a symbol's prices are stale, if no gate knows it (backtest); null: they are fresh. */
  readonly staleBecause?: (symbol: string) => string | null;
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
  /** Why the journal is an older copy or lacks its end. Null: it is complete, or the loss was acknowledged. */
  readonly restoredBecause: string | null;
}
