/** The order book as a session saw it at a moment, from its recording. */
import { ASK, BID, type BookSide } from '../../model/market/market-event.ts';
import type { Book } from '../schemas/market.ts';
import type { MarketTrail } from './market-trail.ts';

/** At this distance from the last change the book is as it was; farther, it is said not to be in step. */
const STALE_MS = 10_000;

/** Null before the first whole book. Empty sides: it was lost, and has not come back until then. */
export async function recordedBook(trail: MarketTrail, atMs: number, depth: number): Promise<Book | null> {
  const { instrument } = trail;
  await trail.readTo(atMs);
  const { book, changedMs, isUsable } = await trail.walk(atMs, atMs);
  if (Number.isNaN(changedMs)) return null;
  const levels = (side: BookSide): Book['bids'] => {
    const found: Book['bids'] = [];
    if (!isUsable) return found;
    book.walk(side, (ticks, lots) => {
      found.push([instrument.priceText(ticks), instrument.quantityText(lots)]);
      return found.length < depth;
    });
    return found;
  };
  const synced = isUsable && atMs - changedMs < STALE_MS;
  return { symbol: instrument.symbol, ts: changedMs, synced, bids: levels(BID), asks: levels(ASK) };
}
