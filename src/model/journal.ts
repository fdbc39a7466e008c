/**
 * The `JournalStore` port: what was intended, what left, what came back, in one append-only chain (wall 3: a row is
 * durable before the first byte leaves). Synchronous, because the send path waits for it. `execution/journal/` holds
 * the SQLite store (live, paper) and the one in memory (backtest).
 *
 *   decision / quote-set ─▶ intent ─▶ sending ─▶ outcome ─▶ order* / fill* ─▶ closed?
 *
 * Everything that is needed to rebuild the state stands in the rows: replay(journal) == live state. A later row never
 * contradicts an earlier one without a `correction` between them.
 */
import type { CashFlowEntry } from './account.ts';
import type { Action } from './action.ts';
import type { TidewireError } from './errors.ts';
import type { VenueFill } from './fill.ts';
import type { InstrumentSpec } from './instrument.ts';
import type { OrderReport, OrderRequest, OrderState, PositionSide } from './order.ts';
import type { DenyReason, RiskFigure } from './deny-reason.ts';
import type { ClaimedEntry, DisownedEntry, DividedEntry, LimitOverrideEntry, WidenedEntry } from './human-entries.ts';
import type { MoneyIntentEntry, MoneyOutcomeEntry, MoneyResolvedEntry, MoneySendingEntry } from './money-entries.ts';
import type { Outcome } from './result.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Which action an order comes from: quotes and targets are compared again, single placements are not. */
export type OrderOrigin = 'place' | 'quote' | 'target' | 'flatten';

/** A process began or ended its work on this journal. A `start` without its `stop` before the next one was a crash. */
export interface SessionEntry {
  readonly kind: 'session';
  readonly event: 'start' | 'stop';
  /** 1 for the first start of this journal, then counting. */
  readonly boot: number;
  readonly bootId: string;
  /** Mode, account, build and the like; compared by the session when it resumes. */
  readonly facts?: Readonly<Record<string, Json>>;
}

/** The grid of a symbol, written before its first intent of a boot, so that a replay needs nothing else. */
export interface InstrumentEntry {
  readonly kind: 'instrument';
  readonly spec: InstrumentSpec;
}

/** What a strategy asked for; quotes have rows of their own. */
export interface DecisionEntry {
  readonly kind: 'decision';
  readonly strategy: string;
  readonly action: Json;
}

/** A quote that changed something: the whole set that should stand, as canonical text. */
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
  /** The ref was given by the executor: `<name>-<n>`. */
  readonly auto: boolean;
  readonly tag: string;
  readonly origin: OrderOrigin;
  readonly order: OrderRequest;
  /** Of its strategy's position. Checked here and, on derivatives, sent too where it is no new risk. */
  readonly reduceOnly: boolean;
  /** A reduction of its strategy that does not reduce the account: limits, gates and the kill latch held for it. */
  readonly newRisk?: true;
  /** One lot less than was asked for, which was all that was free. */
  readonly shrunk?: true;
  readonly postOnly: boolean;
  /** What the checks compared; kept where somebody may ask. */
  readonly risk?: readonly RiskFigure[];
  /**
   * Unix ms of its creation at the exchange: it was found there after a restore from a backup and taken as ours by its mark.
   * This process never sent it.
   */
  readonly adoptedFrom?: number;
}

export interface CancelIntentEntry {
  readonly kind: 'intent';
  readonly command: 'cancel';
  readonly intentId: string;
  /** Intent ids of the orders to be cancelled. */
  readonly targets: readonly string[];
}

/** Bytes may have left. Committed before they do. */
export interface SendingEntry {
  readonly kind: 'sending';
  readonly intentId: string;
  /** The venue's clock before ours as it was signed, ms; absent while they are near each other. */
  readonly offsetMs?: number;
}

export interface OutcomeEntry {
  readonly kind: 'outcome';
  readonly intentId: string;
  readonly outcome: Outcome;
}

/** Whence something of the account is known: pushed, or read. */
export type Source = 'stream' | 'reconcile';

/** A report of the venue that changed what is known of an order. `intentId` is that of its create. */
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
  /** Mid when it was applied; null when there was none. */
  readonly mid: number | null;
  readonly source: Source;
}

/** Closed by a conclusion of ours: never sent, or proved absent (`evidence` names the readings). */
export interface ClosedEntry {
  readonly kind: 'closed';
  readonly intentId: string;
  readonly state: 'denied' | 'never_arrived';
  readonly reason: string;
  readonly message: string;
  readonly evidence?: Json;
}

/** An action was denied before an order existed. The ref of a placement is used up by it. */
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

/** A persisted value of a strategy; `value` is JSON text. */
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

/** A difference between the venue and Σ own fills that is taken over, labelled; `id` is deterministic. */
export interface AdjustmentEntry {
  readonly kind: 'adjustment';
  readonly id: string;
  readonly subject: 'balance' | 'position';
  /** Currency, or symbol. */
  readonly name: string;
  /** Signed canonical text. */
  readonly quantity: string;
  readonly cause: string;
  /** Of an opening: when the figures that it was taken from were read, Unix ms. Absent in older journals: the row's own time. */
  readonly asOf?: number;
}

/** What is booked of one, before it is a row. */
export type Adjustment = Omit<AdjustmentEntry, 'kind'>;

/**
 * The exchange closed a position by itself: `fill` is the part that was this strategy's. It counts like a fill of its own,
 * unique by trade id.
 */
export interface LiquidationEntry {
  readonly kind: 'liquidation';
  readonly strategy: string;
  readonly fill: VenueFill;
}

/**
 * The exchange closed a position that several strategies held, or others beside one: it is booked to the account, and a human says
 * whose it was (`divided`). Nothing new in the symbol until then.
 */
export interface UndividedEntry {
  readonly kind: 'undivided';
  readonly fill: VenueFill;
  /** Who could have held it, with how much at most, the largest first; base units. 0: as far as is known nothing. */
  readonly holders: readonly { readonly strategy: string; readonly quantity: string }[];
  /** What others are known to hold of it, where they hold any or have traded it shortly before. */
  readonly others?: string;
}

/** Funding of a perpetual; `strategy` is null where no position of ours explains it. Unique by id and strategy. */
export interface FundingEntry {
  readonly kind: 'funding';
  readonly id: string;
  readonly strategy: string | null;
  readonly symbol: string | null;
  readonly positionSide: PositionSide;
  readonly currency: string;
  /** Received (+) or paid (-), canonical text. */
  readonly amount: string;
}

export interface KillEntry {
  readonly kind: 'kill';
  readonly on: boolean;
  readonly reason: string;
}

/** A strategy may take no new risk until a human enables it. */
export interface LatchEntry {
  readonly kind: 'latch';
  readonly strategy: string;
  readonly on: boolean;
  readonly reason: string;
}

/** A symbol may take no new risk until a human resumes it. */
export interface HaltEntry {
  readonly kind: 'halt';
  readonly symbol: string;
  readonly on: boolean;
  readonly reason: string;
}

/**
 * What a limit compares with over restarts: the highest equity, the profit at the start of a strategy's day, the margin type
 * that a perpetual was first held with.
 */
export interface RiskMarkEntry {
  readonly kind: 'risk-mark';
  readonly name: string;
  readonly value: string;
}

/**
 * What happened on the account before these times (Unix ms) was read and booked. A start reads from there, and not from the
 * last row: a process writes rows while the exchange cannot be read. Written once a minute at most.
 */
export interface ReadToEntry {
  readonly kind: 'read-to';
  readonly trades: number;
  readonly funding: number;
  /**
   * Currencies that perpetuals settle in → what own fills and funding did not explain of the balance then: what a start
   * finds beyond it has happened since.
   */
  readonly settled?: Readonly<Record<string, string>>;
}

/**
 * The journal was put back from a backup, or knows less than its witness (`restored`): what came after the row before this one is
 * unknown to it. Or the exchange shows an order of the session that no row tells of (`rewound`): rows before the last start are missing. Until a human has acknowledged that, every order that bears our mark is taken as ours and no new risk is taken (reliability §4.3, 11).
 */
export interface RestoredEntry {
  readonly kind: 'restored';
  readonly event: 'restored' | 'rewound' | 'acknowledged';
  readonly reason: string;
}

/**
 * A gate closed for new risk, or was open again. Written when an order asks it and its answer is another than before,
 * and by a look once a second; a gate that closes and opens between two looks without being asked leaves no row. `symbol` is empty where
 * it holds for all. What stands at a `start` row is unknown until the first look after it.
 */
export interface GateEntry {
  readonly kind: 'gate';
  readonly gate: string;
  readonly symbol: string;
  readonly state: 'open' | 'closed';
  /** Null when it opened. */
  readonly reason: DenyReason | null;
  readonly message: string;
}

/** An earlier conclusion was wrong; `cause` and `evidence` say why. */
export interface CorrectionEntry {
  readonly kind: 'correction';
  readonly intentId: string;
  readonly from: OrderState;
  readonly to: OrderState;
  readonly cause: string;
  /** It rests although the venue had said that it is over, as this row of the active list shows it: it is open again. */
  readonly report?: OrderReport;
}

/** Equity at the first valuation of a UTC day, for the daily-loss limit. */
export interface DayEntry {
  readonly kind: 'day';
  /** `2026-11-21`. */
  readonly day: string;
  readonly equity: string;
  /** How much of it had no price when the day began, and has one since the row before. */
  readonly priced?: string;
}

export interface AlarmEntry {
  readonly kind: 'alarm';
  readonly code: string;
  readonly message: string;
}

/** The session's own rows (log lines of a strategy, results): kept, not interpreted by the executor. */
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
  | SendingEntry
  | OutcomeEntry
  | OrderEntry
  | FillEntry
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
  | WidenedEntry
  | RiskMarkEntry
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
  | RecordEntry;

export interface JournalRow {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** Unix ms, session clock. */
  readonly ts: number;
  readonly entry: JournalEntry;
}

export interface JournalStore {
  /**
   * Writes the entries as one transaction; they are durable when it returns. Answers the seq of the last row.
   * Throws a `TidewireError` (`journal_full`, `journal_failed`) and then has written none of them.
   */
  append(ts: number, entries: readonly JournalEntry[]): number;
  /** All kept rows in order, from `fromSeq` on. Must be drained or abandoned before the next `append`. */
  read(fromSeq?: number): Iterable<JournalRow>;
  readonly lastSeq: number;
  /** True when no row is ever kept, as in a backtest: then none needs to be made. */
  readonly keepsNothing?: boolean;
  /** Set once the disk was full and rows are written on the reserve, or its files are gone: no new risk may be taken on such a journal. */
  readonly failing?: TidewireError | null;
  /** Housekeeping in idle moments (checkpoints); never needed for durability. */
  idle(): void;
  close(): void;
}
