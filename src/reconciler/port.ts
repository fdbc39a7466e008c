/** The executor as the reconciler sees it. `execution/reconciler-port.ts` makes it. */
import type { AccountMovement, CashFlow } from '../model/trading/account.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import type { Adjustment, JournalStore, ReadToEntry } from '../model/entries/journal.ts';
import type { OrderReport, Side } from '../model/trading/order.ts';
import type { Clock, Gate, Logger } from '../model/ports.ts';
import type { Venue, VenueEvent } from '../model/venue.ts';
import type { ExternalOrders } from '../risk/facts.ts';
import type { AlarmCode, Signal } from '../spine/events.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Finding } from './finding.ts';
import type { ReconcileOptions } from './options.ts';

export interface ReconcilerDeps {
  readonly venue: Venue;
  readonly journal: JournalStore;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly logger: Logger;
  readonly bootId: string;
  /** The venue was rebuilt from this journal. */
  readonly asksNobody?: boolean;
  readonly options: { readonly reconcile: ReconcileOptions };
}

export interface Reconciled {
  readonly reconcilerPort: ReconcilerPort;
  addGate(gate: Gate): void;
}

export interface ReconcilerPort {
  readonly deps: ReconcilerDeps;
  readonly state: StateView;
  readonly toldSides: {
    believes(fill: VenueFill, instrument: Instrument | undefined): boolean;
    /** Likely side of a trade whose order is not listed. */
    likely(fill: VenueFill, instrument: Instrument | undefined): Side;
  };
  follow(listener: (signal: Signal) => void): void;
  /** One turn: one commit, then events. */
  turn(work: () => void): void;
  /** Whether it healed something. For an external trade: whether it belongs to a liquidation. */
  carryOut(finding: Finding): boolean;
  /**
   * Call when all external trades of a complete list are booked. `until`: the list shows events up to this time, Unix
   * ms.
   */
  settleLiquidations(until: number): void;
  /** Ids of rows that own transfers explain, which are booked by themselves. */
  ownTransfers(rows: readonly AccountMovement[]): ReadonlySet<string>;
  told(event: Extract<VenueEvent, { kind: 'balances' | 'positions' | 'funding' }>): void;
  external(orders: ExternalOrders): void;
  adjust(adjustment: Adjustment): void;
  flow(flow: CashFlow): void;
  alarm(code: AlarmCode, message: string): void;
  /** All lists were complete. `from`: request time of the first, Unix ms. */
  compared(from: number): void;
  /** Nothing is journalled while earlier rows may be lost. */
  haveRead(to: Pick<ReadToEntry, 'trades' | 'funding' | 'settled'>): void;
  /** A human's answer. `intentId`: null for an external order. False, without effect, when it was not journalled. */
  answer(intentId: string | null, report: OrderReport, reason: string): boolean;
  /** The journal lacks rows. */
  rewound(report: OrderReport): void;
  /** Withdraws trades that are booked for another own order than these, a list of own trades, say. Call before booking. */
  withdrawMoved(trades: readonly VenueFill[]): void;
  /** Adopts what another process sent. False when something could not be adopted. */
  takeSentElsewhere(): boolean;
}
