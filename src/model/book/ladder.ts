/**
 * The order book on typed arrays. Merges best quotes by update id, else by time.
 *
 * A newer quote removes better levels and all that it crosses, then sets its own. Older depth is applied, then the
 * quote set again; later depth ends the quote. Before any depth the quote is the whole book.
 */
import type { OrderBook } from './book.ts';
import type { Instrument } from '../market/instrument.ts';
import { LadderSide, NO_KEY } from './ladder-side.ts';
import { ASK, BID, type BookSide, type DepthEvent, type QuoteEvent } from '../market/market-event.ts';
import { less, type SavedLadder, type TapeShift } from './saved-book.ts';

export class Ladder implements OrderBook {
  readonly instrument: Instrument;
  exchangeUs = 0;
  bidTicks = 0;
  bidLots = 0;
  askTicks = 0;
  askLots = 0;
  topVersion = 0;
  readonly #bids = new LadderSide();
  readonly #asks = new LadderSide();
  #depthSeen = false;
  #depthId = 0;
  #depthUs = 0;
  /** No depth has passed the quote. */
  #quoteStands = false;
  #quoteId = 0;
  #quoteUs = 0;
  #quoteBidTicks = 0;
  #quoteBidLots = 0;
  #quoteAskTicks = 0;
  #quoteAskLots = 0;

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  lotsAt(side: BookSide, ticks: number): number {
    return side === BID ? this.#bids.lotsAt(ticks) : this.#asks.lotsAt(-ticks);
  }

  walk(side: BookSide, visit: (ticks: number, lots: number) => boolean): void {
    const levels = side === BID ? this.#bids : this.#asks;
    for (let key = levels.best; key !== NO_KEY; key = levels.below(key)) {
      if (!visit(side === BID ? key : -key, levels.lotsAt(key))) return;
    }
  }

  /** `NaN` when there is none. */
  worseThan(side: BookSide, ticks: number): number {
    const key = side === BID ? this.#bids.below(ticks) : this.#asks.below(-ticks);
    return key === NO_KEY ? Number.NaN : side === BID ? key : -key;
  }

  setLevel(side: BookSide, ticks: number, lots: number): void {
    if (side === BID) this.#bids.set(ticks, lots);
    else this.#asks.set(-ticks, lots);
    this.#refreshTop();
  }

  applyDepth(event: DepthEvent): void {
    const bids = this.#bids;
    const asks = this.#asks;
    if (event.snapshot) {
      bids.clear();
      asks.clear();
    } else if (!this.#depthSeen) {
      // Levels so far come from quotes.
      bids.clear();
      asks.clear();
    }
    const { sides, ticks, lots, from, to } = event.levels;
    for (let row = from; row < to;) {
      const side = sides[row];
      let end = row + 1;
      while (end < to && sides[end] === side) end++;
      if (side === BID) bids.setRows(ticks, lots, row, end, 1);
      else asks.setRows(ticks, lots, row, end, -1);
      row = end;
    }
    this.noteDepth(event);
    if (this.#quoteStands) this.#stateQuote();
    this.#refreshTop();
  }

  noteDepth(event: DepthEvent): void {
    this.#depthSeen = true;
    this.#depthId = event.lastId;
    this.#depthUs = event.exchangeUs;
    if (event.exchangeUs > this.exchangeUs) this.exchangeUs = event.exchangeUs;
    if (this.#quoteStands && !isNewer(this.#quoteId, this.#quoteUs, event.lastId, event.exchangeUs)) {
      this.#quoteStands = false;
    }
  }

  applyQuote(event: QuoteEvent): boolean {
    if (this.#depthSeen && !isNewer(event.updateId, event.exchangeUs, this.#depthId, this.#depthUs)) return false;
    if (this.#quoteStands && isNewer(this.#quoteId, this.#quoteUs, event.updateId, event.exchangeUs)) return false;
    this.#quoteStands = true;
    this.#quoteId = event.updateId;
    this.#quoteUs = event.exchangeUs;
    this.#quoteBidTicks = event.bidTicks;
    this.#quoteBidLots = event.bidLots;
    this.#quoteAskTicks = event.askTicks;
    this.#quoteAskLots = event.askLots;
    if (this.#depthSeen && this.#isAtTop(event)) {
      this.#bids.set(event.bidTicks, event.bidLots);
      this.#asks.set(-event.askTicks, event.askLots);
    } else {
      if (!this.#depthSeen) {
        this.#bids.clear();
        this.#asks.clear();
      }
      this.#stateQuote();
    }
    if (event.exchangeUs > this.exchangeUs) this.exchangeUs = event.exchangeUs;
    this.#refreshTop();
    return true;
  }

  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#depthSeen = false;
    this.#depthId = 0;
    this.#depthUs = 0;
    this.#quoteStands = false;
    this.#refreshTop();
  }

  saved(shift: TapeShift): SavedLadder {
    const levels = (side: BookSide): number[] => {
      const pairs: number[] = [];
      this.walk(side, (ticks, lots) => pairs.push(ticks, lots) > 0);
      return pairs;
    };
    return {
      bids: levels(BID),
      asks: levels(ASK),
      times: less([this.exchangeUs, this.#depthUs, this.#quoteUs], shift.us),
      ids: less([this.#depthId, this.#quoteId], shift.ids),
      quote: [this.#quoteBidTicks, this.#quoteBidLots, this.#quoteAskTicks, this.#quoteAskLots],
      flags: [this.#depthSeen, this.#quoteStands],
    };
  }

  load({ bids, asks, times, ids, quote, flags }: SavedLadder, shift: TapeShift): void {
    this.#bids.clear();
    this.#asks.clear();
    for (let at = 0; at < bids.length; at += 2) this.#bids.set(bids[at]!, bids[at + 1]!);
    for (let at = 0; at < asks.length; at += 2) this.#asks.set(-asks[at]!, asks[at + 1]!);
    [this.exchangeUs = 0, this.#depthUs = 0, this.#quoteUs = 0] = less(times, -shift.us);
    [this.#depthId = 0, this.#quoteId = 0] = less(ids, -shift.ids);
    [this.#quoteBidTicks = 0, this.#quoteBidLots = 0, this.#quoteAskTicks = 0, this.#quoteAskLots = 0] = quote;
    [this.#depthSeen = false, this.#quoteStands = false] = flags;
    this.#refreshTop();
  }

  /** Only best quantities change, the common case. */
  #isAtTop({ bidTicks, bidLots, askTicks, askLots }: QuoteEvent): boolean {
    const isSame = bidTicks === this.bidTicks && askTicks === this.askTicks;
    return isSame && bidTicks < askTicks && bidLots > 0 && askLots > 0 && this.bidLots > 0 && this.askLots > 0;
  }

  #stateQuote(): void {
    if (this.#quoteBidLots > 0) {
      this.#bids.removeAbove(this.#quoteBidTicks);
      this.#asks.removeAbove(-this.#quoteBidTicks - 1);
    } else {
      this.#bids.clear();
    }
    if (this.#quoteAskLots > 0) {
      this.#asks.removeAbove(-this.#quoteAskTicks);
      this.#bids.removeAbove(this.#quoteAskTicks - 1);
    } else {
      this.#asks.clear();
    }
    if (this.#quoteBidLots > 0) this.#bids.set(this.#quoteBidTicks, this.#quoteBidLots);
    if (this.#quoteAskLots > 0) this.#asks.set(-this.#quoteAskTicks, this.#quoteAskLots);
  }

  #refreshTop(): void {
    const bid = this.#bids.best;
    const ask = this.#asks.best;
    const bidTicks = bid === NO_KEY ? 0 : bid;
    const askTicks = ask === NO_KEY ? 0 : -ask;
    const bidLots = bid === NO_KEY ? 0 : this.#bids.lotsAt(bid);
    const askLots = ask === NO_KEY ? 0 : this.#asks.lotsAt(ask);
    if (
      bidTicks === this.bidTicks &&
      askTicks === this.askTicks &&
      bidLots === this.bidLots &&
      askLots === this.askLots
    ) {
      return;
    }
    this.bidTicks = bidTicks;
    this.askTicks = askTicks;
    this.bidLots = bidLots;
    this.askLots = askLots;
    this.topVersion++;
  }
}

/** Ids decide when both have one. */
function isNewer(id: number, us: number, otherId: number, otherUs: number): boolean {
  return id !== 0 && otherId !== 0 ? id > otherId : us > otherUs;
}

export function createLadder(instrument: Instrument): Ladder {
  return new Ladder(instrument);
}
