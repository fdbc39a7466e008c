/** The order book of a symbol. */
import type { Instrument } from '../market/instrument.ts';
import type { BookSide, DepthEvent, QuoteEvent } from '../market/market-event.ts';
import type { SavedLadder, TapeShift } from './saved-book.ts';

export interface OrderBook {
  readonly instrument: Instrument;
  /** Of the last applied event. */
  readonly exchangeUs: number;
  /** Both 0 when the side is empty. */
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  /** Increments with any best price or quantity. */
  readonly topVersion: number;
  lotsAt(side: BookSide, ticks: number): number;
  /** From the best outward until `visit` returns false. */
  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void;
  /** A snapshot clears first. Does not check the sequence. */
  applyDepth(event: DepthEvent): void;
  /** False when older than the depth and ignored. */
  applyQuote(event: QuoteEvent): boolean;
  clear(): void;
  saved(shift: TapeShift): SavedLadder;
}
