/**
 * What the run's recorder learns from the simulated exchange at the moment at which it happens, in exchange time, without
 * the latency that the strategy sees. `session/` marks the account to market with it.
 */
import type { VenueFill } from '../model/fill.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide } from '../model/order.ts';
import type { Grant } from './start-grants.ts';

export interface VenueObserver {
  /** The mid of a symbol moved; in half ticks, so that it is an integer. */
  mid(instrument: Instrument, halfTicks: number, us: number): void;
  /** The mark price of a perpetual moved: after all that it led to, such as a liquidation. */
  marked(instrument: Instrument, price: number, us: number): void;
  /** Called after the money has moved. `queueAhead`: others ahead when the order joined, base units; null: not known. */
  filled(fill: VenueFill, queueAhead: number | null): void;
  /** A start balance (docs/simulation.md, "Defaults"). After the money has come. */
  granted(grant: Grant): void;
  /** Money came to the trading account from another own account, or left it. After it has moved. */
  transferred?(): void;
  /** Funding of one side was settled; signed canonical text in the settlement currency. */
  funded(instrument: Instrument, positionSide: PositionSide, amount: string, us: number): void;
  /** Money has moved, and all that it led to at this instant is done: what is seen before may not last. */
  settled(): void;
  /** A position was closed by the exchange; told after `filled` of the same fill. `reason` has the numbers. */
  liquidated(fill: VenueFill, reason: string): void;
}

/** The account's money and positions as they are now, for marking. */
export interface AccountTotals {
  readonly totals: ReadonlyMap<string, string>;
  /** Signed contracts and what they cost, settlement currency with the same sign. */
  readonly positions: readonly { readonly symbol: string; readonly quantity: string; readonly cost: string }[];
}
