/**
 * The `JournalStore` port: an append-only chain of rows that rebuilds the whole state. Synchronous, because sending
 * waits for durability.
 *
 *   decision / quote-set ─▶ intent ─▶ sending ─▶ outcome ─▶ order* / fill* ─▶ closed?
 *
 * Only a `correction` allows a row to contradict an earlier one.
 */
import type { CashFlowEntry, FundingEntry } from '../trading/account.ts';
import type { Action } from '../trading/action.ts';
import type { Segment } from './archive-segment.ts';
import type { TidewireError } from '../errors.ts';
import type { FillRates, VenueFill } from '../trading/fill.ts';
import type { InstrumentSpec } from '../market/instrument.ts';
import type { OrderReport, OrderRequest, OrderState } from '../trading/order.ts';
import type { DenyReason, RiskFigure } from '../trading/deny-reason.ts';
import type {
  ClaimedEntry,
  DisownedEntry,
  DividedEntry,
  LimitOverrideEntry,
  PauseEntry,
  WidenedEntry,
} from './human-entries.ts';
import type { Json } from '../text/json.ts';
import type { MoneyIntentEntry, MoneyOutcomeEntry, MoneyResolvedEntry, MoneySendingEntry } from './money-entries.ts';
import type { AbsentEntry, CancelWantedEntry, FlattenEntry, SendingEntry, StopEntry } from './order-entries.ts';
import type { Outcome } from '../result.ts';
import type { ProgramEntry } from '../trading/program.ts';
import type { ProtectedEntry, RiskMarkEntry, WithheldEntry } from './risk-entries.ts';
import type { SnapshotEntry } from './snapshot-entry.ts';
import type { UsedBeforeEntry } from './used-before.ts';

export type OrderOrigin = 'place' | 'quote' | 'target' | 'flatten' | 'program';

/** A `start` without a `stop` before it means a crash. */
export interface SessionEntry {
  readonly kind: 'session';
  readonly event: 'start' | 'stop';
  readonly boot: number;
  readonly bootId: string;
  /** Mode, account, build and the like, compared at resume. */
  readonly facts?: Readonly<Record<string, Json>>;
}

/** Before the symbol's first intent of a boot. */
export interface InstrumentEntry {
  readonly kind: 'instrument';
  readonly spec: InstrumentSpec;
}

/** Any action but quotes. */
export interface DecisionEntry {
  readonly kind: 'decision';
  readonly strategy: string;
  readonly action: Json;
}

export interface QuoteSetEntry {
  readonly kind: 'quote-set';
  readonly strategy: string;
  readonly symbol: string;
  readonly tag: string;
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
}

export interface CreateIntentEntry {
  readonly kind: 'intent';
  readonly command: 'create';
  readonly intentId: string;
  readonly strategy: string;
  readonly ref: string;
  readonly auto: boolean;
  readonly tag: string;
  readonly origin: OrderOrigin;
  readonly order: OrderRequest;
  /** Of the strategy's position. */
  readonly reduceOnly: boolean;
  /** Does not reduce the account. */
  readonly newRisk?: true;
  /** One lot less than asked. */
  readonly shrunk?: true;
  /** Ref of the first order of a split exit, in the others. */
  readonly partOf?: string;
  /** Ref of the program whose order it is, and which of its orders. */
  readonly parent?: string;
  readonly leg?: string;
  readonly postOnly: boolean;
  readonly risk?: readonly RiskFigure[];
  /** Unix ms of creation at the exchange, for an order adopted after a restore. */
  readonly adoptedFrom?: number;
}

export interface CancelIntentEntry {
  readonly kind: 'intent';
  readonly command: 'cancel';
  readonly intentId: string;
  /** Intent ids. */
  readonly targets: readonly string[];
  /** Of the first own order; absent where none is meant, and in older journals. */
  readonly ref?: string;
  /** Of each target, where there are several. */
  readonly refs?: readonly string[];
}

export interface OutcomeEntry {
  readonly kind: 'outcome';
  readonly intentId: string;
  readonly outcome: Outcome;
}

export type Source = 'stream' | 'reconcile';

/** A venue report that changed an order. */
export interface OrderEntry {
  readonly kind: 'order';
  readonly intentId: string;
  readonly report: OrderReport;
  readonly source: Source;
}

export interface FillEntry {
  readonly kind: 'fill';
  readonly intentId: string;
  readonly fill: VenueFill;
  readonly mid: number | null;
  readonly rates?: FillRates;
  readonly source: Source;
  /**
   * Corrects a booked trade to the list of own trades, by a human's decision, or its fee alone. A side other than the
   * order's withdraws.
   */
  readonly corrects?: true;
}

/** The list of own trades contradicts a booked trade. It stays as booked until `divided`. */
export interface ContradictedEntry {
  readonly kind: 'contradicted';
  readonly intentId: string;
  /** As listed. */
  readonly fill: VenueFill;
  readonly booked: Pick<VenueFill, 'quantity' | 'price' | 'fee'>;
}

/** An order that was never sent or never arrived. `evidence` names the polls. */
export interface ClosedEntry {
  readonly kind: 'closed';
  readonly intentId: string;
  readonly state: 'denied' | 'never_arrived';
  readonly reason: string;
  readonly message: string;
  readonly evidence?: Json;
}

/** An action denied before an order existed. It uses up the ref of a placement. */
export interface DenialEntry {
  readonly kind: 'denial';
  readonly strategy: string;
  readonly action: Action['kind'];
  readonly reason: DenyReason;
  readonly message: string;
  readonly symbol?: string;
  readonly ref?: string;
  readonly auto?: boolean;
  readonly risk?: readonly RiskFigure[];
}

export interface StateEntry {
  readonly kind: 'state';
  readonly key: string;
  readonly value: string;
}

export interface NoteEntry {
  readonly kind: 'note';
  readonly strategy: string;
  readonly text: string;
  readonly data?: Json;
}

/** A booked difference between venue and own fills. `id` is deterministic. */
export interface AdjustmentEntry {
  readonly kind: 'adjustment';
  readonly id: string;
  readonly subject: 'balance' | 'position';
  /** Currency or symbol. */
  readonly name: string;
  /** Signed. */
  readonly quantity: string;
  readonly cause: string;
  /** Of an opening: poll time, Unix ms. Default: the row's time. */
  readonly asOf?: number;
}

export type Adjustment = Omit<AdjustmentEntry, 'kind'>;

/** A strategy's part of a liquidation, unique by trade id. */
export interface LiquidationEntry {
  readonly kind: 'liquidation';
  readonly strategy: string;
  readonly fill: VenueFill;
  readonly rates?: FillRates;
}

/** An unattributed liquidation. The symbol takes no new order until `divided`. */
export interface UndividedEntry {
  readonly kind: 'undivided';
  readonly fill: VenueFill;
  /** Base units at most, largest first; 0: none known. */
  readonly holders: readonly { readonly strategy: string; readonly quantity: string }[];
  /** External holding, if any. */
  readonly others?: string;
}

export interface KillEntry {
  readonly kind: 'kill';
  readonly on: boolean;
  readonly reason: string;
}

export interface LatchEntry {
  readonly kind: 'latch';
  readonly strategy: string;
  readonly on: boolean;
  readonly reason: string;
}

export interface HaltEntry {
  readonly kind: 'halt';
  readonly symbol: string;
  readonly on: boolean;
  readonly reason: string;
}

/** Account history is booked up to these times (Unix ms). At most once a minute. */
export interface ReadToEntry {
  readonly kind: 'read-to';
  readonly trades: number;
  readonly funding: number;
  /** Settlement currency → unexplained balance. */
  readonly settled?: Readonly<Record<string, string>>;
}

/**
 * Rows may be missing: restored or behind the witness (`restored`), or before the last start (`rewound`).
 * Until acknowledged, marked orders are adopted and no new risk is taken (docs/reliability.md).
 */
export interface RestoredEntry {
  readonly kind: 'restored';
  readonly event: 'restored' | 'rewound' | 'acknowledged';
  readonly reason: string;
  /** The order that revealed lost rows. */
  readonly orderId?: string;
}

/** A change of a gate, seen by an order or each second. Empty `symbol`: all. Unknown at a `start` row. */
export interface GateEntry {
  readonly kind: 'gate';
  readonly gate: string;
  readonly symbol: string;
  readonly state: 'open' | 'closed';
  readonly reason: DenyReason | null;
  readonly message: string;
}

export interface CorrectionEntry {
  readonly kind: 'correction';
  readonly intentId: string;
  readonly from: OrderState;
  readonly to: OrderState;
  readonly cause: string;
  /** The active list shows an order that was reported closed; it is active again. */
  readonly report?: OrderReport;
}

/** Equity at the first valuation of a UTC day. */
export interface DayEntry {
  readonly kind: 'day';
  readonly day: string;
  readonly equity: string;
  /** Priced since the previous row. */
  readonly priced?: string;
}

/** A position without an exit. */
export interface UnprotectedAbout {
  readonly strategy: string;
  readonly symbol: string;
  /** Base units. */
  readonly quantity: string;
  /** Of the program whose end left it. */
  readonly ref?: string;
}

export interface AlarmEntry {
  readonly kind: 'alarm';
  readonly code: string;
  readonly message: string;
  readonly about?: UnprotectedAbout;
  /** Tag of the strategy that stopped by itself. */
  readonly strategy?: string;
}

/** Rows of the session; of those of commands and controls the state keeps something. */
export interface RecordEntry {
  readonly kind: 'record';
  readonly name: string;
  readonly data: Json;
}

export type JournalEntry =
  | SessionEntry
  | InstrumentEntry
  | DecisionEntry
  | QuoteSetEntry
  | CreateIntentEntry
  | CancelIntentEntry
  | CancelWantedEntry
  | AbsentEntry
  | FlattenEntry
  | StopEntry
  | ProgramEntry
  | SendingEntry
  | OutcomeEntry
  | OrderEntry
  | FillEntry
  | ContradictedEntry
  | ClosedEntry
  | DenialEntry
  | StateEntry
  | NoteEntry
  | AdjustmentEntry
  | CashFlowEntry
  | LiquidationEntry
  | UndividedEntry
  | DividedEntry
  | FundingEntry
  | KillEntry
  | RestoredEntry
  | LatchEntry
  | HaltEntry
  | LimitOverrideEntry
  | PauseEntry
  | WidenedEntry
  | RiskMarkEntry
  | WithheldEntry
  | ProtectedEntry
  | ReadToEntry
  | GateEntry
  | CorrectionEntry
  | ClaimedEntry
  | DisownedEntry
  | DayEntry
  | AlarmEntry
  | MoneyIntentEntry
  | MoneySendingEntry
  | MoneyOutcomeEntry
  | MoneyResolvedEntry
  | UsedBeforeEntry
  | RecordEntry
  | SnapshotEntry;

export interface JournalRow {
  /** From 1 without gaps. */
  readonly seq: number;
  /** Session clock. */
  readonly ts: number;
  readonly entry: JournalEntry;
}

export interface JournalArchive {
  readonly isDue: boolean;
  /** The segment is on disk. Throws unless it holds the next rows. */
  note(segment: Segment): void;
}

export interface JournalStore {
  /**
   * One durable transaction; returns the last row's seq.
   * Throws `TidewireError` (`journal_full`, `journal_failed`); then none is written.
   */
  append(ts: number, entries: readonly JournalEntry[]): number;
  /** In order. Drain or abandon it before the next `append`. */
  read(fromSeq?: number): Iterable<JournalRow>;
  readonly lastSeq: number;
  readonly archive?: JournalArchive;
  readonly lastSnapshot?: () => SnapshotEntry | undefined;
  /** As in a backtest: no row needs to be made. */
  readonly keepsNothing?: boolean;
  /** Disk full or files gone: no new risk. */
  readonly failing?: TidewireError | null;
  idle(): void;
  close(): void;
}
