/** The book as matching reads it. */
import type { BookSide } from '../../model/market/market-event.ts';

/** What matching reads of a book: the ladder, or a tape's columns while the ladder lags (`columns/column-book.ts`). */
export interface ReadBook {
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  lotsAt(side: BookSide, ticks: number): number;
  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void;
}

/** Each event takes it one message further, and has moved it already. */
export interface KnownBook extends ReadBook {
  advance(): void;
}

/** Effect of an event on a certain book: its levels `moved`, or `nothing`. `other`: only matching itself can say. */
export type BookEffect = 'moved' | 'nothing' | 'other';
