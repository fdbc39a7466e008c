/** The levels of one side of a market's book, `[ticks, lots]` each, best first. */
import type { BookSide } from '../../src/model/market/market-event.ts';
import type { SymbolMarket } from '../../src/sandbox/core/orders/order-record.ts';

export function levelsOf({ book }: SymbolMarket, side: BookSide): (readonly [number, number])[] {
  const levels: (readonly [number, number])[] = [];
  book.walk(side, (ticks, lots) => levels.push([ticks, lots]) > 0);
  return levels;
}
