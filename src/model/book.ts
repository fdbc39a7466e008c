/**
 * The interface of an order book (rule M0): one book per symbol that `top`, `book`, matching and mid all read.
 * `ladder.ts` implements it on typed arrays.
 */
import type { Instrument } from './instrument.ts';
import type { BookSide, DepthEvent, QuoteEvent } from './market-event.ts';

export interface OrderBook {
  readonly instrument: Instrument;
  /** Microseconds, exchange time, of the last applied event. */
  readonly exchangeUs: number;
  /** Best levels in ticks and lots; lots 0 and ticks 0 when the side is empty. */
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  /** Increments when the best price or quantity of either side changes. */
  readonly topVersion: number;
  /** Displayed lots at a price, 0 when none. */
  lotsAt(side: BookSide, ticks: number): number;
  /** Calls `visit` for levels of a side from the best outward until it answers false. */
  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void;
  /** Applies all rows of a depth message; a snapshot clears first. Does not check sequence. */
  applyDepth(event: DepthEvent): void;
  /** Merges a best quote by M0. Answers false when it was older than the depth and ignored. */
  applyQuote(event: QuoteEvent): boolean;
  clear(): void;
}
