/** The live view of `market.book`. Both sides are empty without a usable book. */
import type { OrderBook } from '../model/book/book.ts';
import { ASK, BID, type BookSide } from '../model/market/market-event.ts';
import { msOf } from '../model/time.ts';
import type { BookSnapshot, BookView, Level } from '../model/market/views.ts';

function levelsOf(book: OrderBook, side: BookSide, count: number): readonly Level[] {
  const levels: Level[] = [];
  if (!(count > 0)) return levels;
  const { instrument } = book;
  book.walk(side, (ticks, lots) => {
    levels.push({ price: instrument.priceOf(ticks), quantity: instrument.quantityOf(lots) });
    return levels.length < count;
  });
  return levels;
}

function frozen(levels: readonly Level[]): readonly Level[] {
  for (const level of levels) Object.freeze(level);
  return Object.freeze(levels);
}

export function createBookView(book: OrderBook, isUsable: () => boolean): BookView {
  const { symbol } = book.instrument;
  const levels = (side: BookSide, count: number): readonly Level[] => (isUsable() ? levelsOf(book, side, count) : []);
  return Object.freeze({
    symbol,
    get ts(): number {
      return msOf(book.exchangeUs);
    },
    bids: (count: number) => levels(BID, count),
    asks: (count: number) => levels(ASK, count),
    snapshot: (): BookSnapshot =>
      Object.freeze({
        ts: msOf(book.exchangeUs),
        symbol,
        bids: frozen(levels(BID, Number.POSITIVE_INFINITY)),
        asks: frozen(levels(ASK, Number.POSITIVE_INFINITY)),
      }),
  });
}
