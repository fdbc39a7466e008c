/** The order book as a session saw it at a moment, from its recording. */
import type { OrderBook } from '../../model/book.ts';
import { ASK, BID, type BookSide } from '../../model/market-event.ts';
import type { Book } from '../schemas/market.ts';
import { walkMarket } from './market-walk.ts';

/** At this distance from the last change the book is as it was; farther, it is said not to be in step. */
const STALE_MS = 10_000;

/** Null without a recording of the symbol, or before its first whole book. */
export async function recordedBook(dir: string, symbol: string, atMs: number, depth: number): Promise<Book | null> {
  let changedMs = 0;
  const held: { book?: OrderBook } = {};
  const instrument = await walkMarket(dir, symbol, atMs, (book, receivedMs) => {
    changedMs = receivedMs;
    held.book = book;
  });
  const { book } = held;
  if (instrument === null || book === undefined) return null;
  const levels = (side: BookSide): Book['bids'] => {
    const found: Book['bids'] = [];
    book.walk(side, (ticks, lots) => {
      found.push([instrument.priceText(ticks), instrument.quantityText(lots)]);
      return found.length < depth;
    });
    return found;
  };
  return { symbol, ts: changedMs, synced: atMs - changedMs < STALE_MS, bids: levels(BID), asks: levels(ASK) };
}
