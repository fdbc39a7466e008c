/** Observes the simulated exchange in exchange time, without latency, to mark the account to market. */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { PositionSide } from '../../model/trading/order.ts';

/** Canonical text. */
export interface Grant {
  readonly currency: string;
  readonly amount: string;
}

export interface VenueObserver {
  /** Half ticks keep the mid an integer. */
  mid(instrument: Instrument, halfTicks: number, us: number): void;
  /** Called after all consequences, such as liquidations, and before `settled`. */
  marked(instrument: Instrument, price: number, us: number): void;
  /** Called after the money moved. `queueAhead`: base units; null: unknown. */
  filled(fill: VenueFill, queueAhead: number | null): void;
  /** From the first bar of a moment to the last, when several symbols have one: states between them never were. */
  together?(isOn: boolean): void;
  granted(grant: Grant): void;
  /** Signed canonical text, settlement currency. */
  funded(instrument: Instrument, positionSide: PositionSide, amount: string, us: number): void;
  /** All consequences at this instant are done; earlier states may be transient. */
  settled(): void;
  /** Called after `filled`. */
  liquidated(fill: VenueFill, reason: string): void;
}

export interface AccountTotals {
  readonly totals: ReadonlyMap<string, string>;
  /** Signed contracts; cost in settlement currency with the same sign. */
  readonly positions: readonly { readonly symbol: string; readonly quantity: string; readonly cost: string }[];
}
