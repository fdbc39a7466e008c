/** The executor as the reconciler sees it; made by `execution/reconciler-port.ts`. */
import type { Balance, CashFlow, FundingPayment, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import type { Instruments } from '../model/instrument.ts';
import type { Adjustment, JournalStore, ReadToEntry } from '../model/journal.ts';
import type { Json } from '../model/json.ts';
import type { Decimal } from '../model/money.ts';
import type { OrderReport, Side } from '../model/order.ts';
import type { Clock, Gate, Logger } from '../model/ports.ts';
import type { Venue } from '../model/venue.ts';
import type { ExternalOrders } from '../risk/exposure.ts';
import type { AlarmCode, Signal } from '../spine/events.ts';
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
  /** Those, and closed ones that these name. */
  ordersIn(reports: readonly OrderReport[], fills: readonly VenueFill[]): readonly LocalOrder[];
  isOurs(this: void, report: OrderReport): boolean;
  isOfThisSession(intentId: string): boolean;
  /**
   * Count of the oldest own intent in flight that could move something unseen; 0: of an earlier process, or a transfer;
   * `Infinity`: none.
   */
  movingFrom(): number;
  /** Since the start. */
  fillCount(): number;
  /** By the journal or the venue. */
  holdsMoney(): boolean;
  /** Journals it, with the drifts. */
  haveRead(to: Pick<ReadToEntry, 'trades' | 'funding'>): void;
  /** Unexplained part of a settlement balance at the last pass. */
  drift(currency: string): Decimal | undefined;
  setDrift(currency: string, drift: Decimal): void;
  /** One turn: one commit, then events. */
  turn(work: () => void): void;
  report(intentId: string, report: OrderReport): void;
  fill(fill: VenueFill): void;
  liquidation(report: OrderReport): void;
  liquidationFill(fill: VenueFill): boolean;
  /** Call when all external trades of a complete list are booked. */
  settleLiquidations(): void;
  funding(payment: FundingPayment): void;
  /** A human's answer. False, without effect, when not journalled. */
  claim(intentId: string, report: OrderReport, reason: string): boolean;
  disown(orderId: string, reason: string): boolean;
  absent(intentId: string, asOf: number): void;
  neverArrived(intentId: string, evidence: Json): void;
  recancel(intentId: string): void;
  /** Reopens and cancels it. False when its fills say it is closed. */
  reopen(intentId: string, report: OrderReport): boolean;
  /** The lists agree on less than was reported of a closed order. */
  lower(intentId: string, report: OrderReport): void;
  cancelUnexplained(report: OrderReport): void;
  /** Made by the session in lost rows, and not reported yet. */
  tellsOfLostRows(report: OrderReport): boolean;
  /** The journal misses rows. */
  rewound(report: OrderReport): void;
  /** After a restore: which unjournalled intents are own. */
  adopts(): false | ((intentId: string) => boolean);
  /** Takes over what another process sent. False when not all could be. */
  takeSentElsewhere(): boolean;
  adopt(report: OrderReport): void;
  balances(rows: readonly Balance[], whole: boolean): void;
  positions(rows: readonly VenuePosition[], whole: boolean): void;
  external(orders: ExternalOrders): void;
  adjust(adjustment: Adjustment): void;
  flow(flow: CashFlow): void;
  alarm(code: AlarmCode, message: string): void;
  /** Whether the reported side is credible. */
  believesSide(fill: VenueFill): boolean;
  /** For an unlisted order. */
  likelySide(fill: VenueFill): Side;
  streamReady(): boolean;
  follow(listener: (signal: Signal) => void): void;
}
