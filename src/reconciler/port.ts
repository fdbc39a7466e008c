/** The executor as the reconciler sees it; made by `execution/reconciler-port.ts`. */
import type { Balance, CashFlow, FundingPayment, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Adjustment, JournalStore, ReadToEntry } from '../model/journal.ts';
import type { Json } from '../model/json.ts';
import type { Decimal } from '../model/money.ts';
import type { OrderReport, Side } from '../model/order.ts';
import type { Clock, Gate, Logger } from '../model/ports.ts';
import type { Venue, VenueEvent } from '../model/venue.ts';
import type { ExternalOrders } from '../risk/exposure.ts';
import type { AlarmCode } from '../spine/events.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { LocalOrder } from './local-order.ts';
import type { ReconcileOptions } from './options.ts';

export interface ReconcilerDeps {
  readonly venue: Venue;
  readonly journal: JournalStore;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly logger: Logger;
  readonly bootId: string;
  readonly options: { readonly reconcile: ReconcileOptions };
}

export interface Reconciled {
  readonly reconcilerPort: ReconcilerPort;
  addGate(gate: Gate): void;
}

export interface ReconcilerPort {
  readonly deps: ReconcilerDeps;
  readonly state: StateView;
  /** Open, unresolved, or missing fills. */
  liveOrders(): readonly LocalOrder[];
  /** Those, and closed ones that these name; cost ignores other closed orders. */
  ordersIn(reports: readonly OrderReport[], fills: readonly VenueFill[]): readonly LocalOrder[];
  /** Has our mark or is journalled. */
  isOurs(this: void, report: OrderReport): boolean;
  isOfThisSession(intentId: string): boolean;
  /**
   * Count of the oldest own intent in flight that could move something unseen; 0: an earlier process's, or a transfer;
   * `Infinity`: none.
   */
  movingFrom(): number;
  /** Since the start: older snapshots prove nothing about balances. */
  fillCount(): number;
  /** By the journal or the venue. */
  holdsMoney(): boolean;
  /** Journals it, with the drifts. */
  haveRead(to: Pick<ReadToEntry, 'trades' | 'funding'>): void;
  /** Unexplained part of a settlement balance at the last pass of any process. */
  drift(currency: string): Decimal | undefined;
  setDrift(currency: string, drift: Decimal): void;
  /** One turn: one commit, then events. */
  turn(work: () => void): void;
  report(intentId: string, report: OrderReport): void;
  fill(fill: VenueFill): void;
  liquidation(report: OrderReport): void;
  /** False when no liquidation. */
  liquidationFill(fill: VenueFill): boolean;
  /** All external trades are booked, from a complete list. */
  settleLiquidations(): void;
  funding(payment: FundingPayment): void;
  /** By a human: the intent's, or not ours. False, without effect, when not journalled. */
  claim(intentId: string, report: OrderReport, reason: string): boolean;
  disown(orderId: string, reason: string): boolean;
  absent(intentId: string, asOf: number): void;
  neverArrived(intentId: string, evidence: Json): void;
  recancel(intentId: string): void;
  /** Reopens and cancels what rests there. False when its fills say it is over. */
  reopen(intentId: string, report: OrderReport): boolean;
  /** With our mark and no open order here. */
  cancelUnexplained(report: OrderReport): void;
  /** Made by the session in lost rows, unreported. */
  tellsOfLostRows(report: OrderReport): boolean;
  /** Amnesia from here on. */
  rewound(report: OrderReport): void;
  /** Unjournalled intents that are ours after a restore; else false. */
  adopts(): false | ((intentId: string) => boolean);
  /** Another process's sends for this session. False when unreadable. */
  takeSentElsewhere(): boolean;
  adopt(report: OrderReport): void;
  balances(rows: readonly Balance[], whole: boolean): void;
  positions(rows: readonly VenuePosition[], whole: boolean): void;
  external(orders: ExternalOrders): void;
  adjust(adjustment: Adjustment): void;
  /** A transfer, once. */
  flow(flow: CashFlow): void;
  alarm(code: AlarmCode, message: string): void;
  onDoubt(listener: (reason: string) => void): void;
  /** The account should confirm fills of this symbol. */
  onUnproved(listener: (symbol: string) => void): void;
  onBooked(listener: (fill: VenueFill) => void): void;
  /** An external trade's reported side is credible. */
  believesSide(fill: VenueFill): boolean;
  /** Before the symbol's first trade of this process; its grid is journalled. */
  onTraded(listener: (symbol: string) => void): void;
  /** For an unlisted order. */
  likelySide(fill: VenueFill): Side;
  /** Not known to be ours. */
  onUnowned(listener: (orderId: string) => void): void;
  streamReady(): boolean;
  onStream(listener: (event: Extract<VenueEvent, { kind: 'stream' }>) => void): void;
}
