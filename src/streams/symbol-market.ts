/**
 * One symbol as strategies see it: book, feeds, candles and gaps. A depth message without subscribers allocates
 * nothing.
 *
 * Invariant: `usable` is true only while the book is live, not crossed and not stale; otherwise nothing shows it. Data
 * with best quotes alone is usable from the first quote, until depth comes.
 */
import type { Observable } from 'rxjs';
import { BookSync, type BookSyncOptions } from '../model/book/book-sync.ts';
import type { OrderBook } from '../model/book/book.ts';
import type {
  CandleEvent,
  DepthEvent,
  GapEvent,
  MarketEvent,
  QuoteEvent,
  TradeEvent,
} from '../model/market/market-event.ts';
import type { Clock, Logger, ShownPrice } from '../model/ports.ts';
import { msOf } from '../model/time.ts';
import type { BookView, FundingRate, Gap, MarkPrice, Ticker, Top, Trade } from '../model/market/views.ts';
import type { SavedBook, TapeShift } from '../model/book/saved-book.ts';
import { createBookView } from './book-view.ts';
import { Fanout } from './feeds/fanout.ts';
import { stateFeed } from './feeds/feed.ts';
import { fundingOf, gapOf, markOf, midOf, tickerOf, topOf, tradeOf } from './market-values.ts';
import { sampled } from './feeds/sampled.ts';
import { SymbolCandles } from './feeds/symbol-candles.ts';
import { ValueFeed } from './feeds/value-feed.ts';

export interface SymbolMarketDeps {
  readonly book: OrderBook;
  readonly sync: BookSyncOptions;
  readonly clock: Clock;
  readonly log: Logger;
  /** The book was discarded and needs a snapshot. */
  readonly onBookLost: (reason: string) => void;
}

export class SymbolMarket {
  usable = false;
  /** Times that a usable book was found incomplete or was discarded. */
  breaks = 0;
  readonly book: OrderBook;
  readonly candles: SymbolCandles;
  readonly top: Observable<Top>;
  readonly books: Observable<BookView>;
  readonly trades: Observable<Trade>;
  readonly gaps: Observable<Gap>;
  /** Closed bars of a symbol without any book. The event is not kept. */
  readonly bars: Observable<CandleEvent>;
  /** Prices of own fills of such a symbol. */
  readonly owns: Observable<number>;
  readonly ticker = new ValueFeed<Ticker>();
  readonly funding = new ValueFeed<FundingRate>();
  readonly mark = new ValueFeed<MarkPrice>();
  readonly #clock: Clock;
  readonly #sync: BookSync;
  readonly #onBookLost: (reason: string) => void;
  readonly #top = new Fanout<Top>();
  /** `#top` without its values. */
  readonly #topMoves = new Fanout<undefined>();
  /** Its feed says when the best prices move; events come late. */
  isFed = false;
  readonly #books = new Fanout<BookView>();
  readonly #trades = new Fanout<Trade>();
  readonly #gaps = new Fanout<Gap>();
  readonly #bars = new Fanout<CandleEvent>();
  readonly #owns = new Fanout<number>();
  /** Empty while not usable. */
  readonly view: BookView;
  #topVersion = 0;
  #depthSeen = false;
  readonly #expectsSnapshot: boolean;
  /** An external gap is open, and no message has resynchronised the book since. */
  #stale = false;
  /** The book's own open gap. */
  #lost: { readonly fromUs: number; readonly reason: string } | undefined;
  /** Last trade or close as a JS number; 0 before the first. */
  #lastPrice = 0;
  /** Close of the newest closed bar, Unix ms. */
  #closedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SymbolMarketDeps) {
    this.book = deps.book;
    this.#clock = deps.clock;
    this.#sync = new BookSync(deps.book, deps.sync);
    this.#expectsSnapshot = deps.sync.start === 'snapshot';
    this.#onBookLost = deps.onBookLost;
    this.candles = new SymbolCandles(deps.book.instrument, deps.clock, deps.log);
    this.view = createBookView(deps.book, () => this.usable);
    this.top = stateFeed(this.#top.values, () => {
      const top = this.usable ? topOf(this.book) : undefined;
      return top === undefined ? [] : [top];
    });
    this.books = stateFeed(this.#books.values, () => (this.usable ? [this.view] : []));
    this.trades = this.#trades.values;
    this.gaps = this.#gaps.values;
    this.bars = this.#bars.values;
    this.owns = this.#owns.values;
  }

  onEvent(event: MarketEvent): void {
    switch (event.kind) {
      case 'depth':
        this.#onDepth(event);
        break;
      case 'quote':
        this.#onQuote(event);
        break;
      case 'trade':
        this.#onTrade(event);
        return;
      case 'candle': {
        // The same bar from another recording is no news.
        const closeMs = event.openTime + event.intervalMs;
        if (closeMs > this.#closedMs) this.#lastPrice = event.close;
        const isNews = closeMs > this.#closedMs;
        if (event.closed) this.#closedMs = Math.max(this.#closedMs, closeMs);
        if (event.closed && isNews && this.isBookless && this.#bars.observed) this.#bars.next(event);
        this.candles.onRecorded(event);
        return;
      }
      case 'ticker':
        this.ticker.next(tickerOf(event));
        return;
      case 'mark':
        this.mark.next(markOf(event));
        return;
      case 'funding':
        this.funding.next(fundingOf(event));
        return;
      case 'gap':
        this.#onGap(event);
        return;
    }
    if (event.exchangeUs >= this.candles.boundaryUs) this.candles.advance(event);
  }

  /**
   * An own fill while a bar runs. Nothing else shows its open. One inside a bar that has closed is older than its close: a
   * maker's bears the time of the close, a taker's that of the open.
   */
  traded({ price, ts, liquidity }: ShownPrice): void {
    const isOlder = liquidity === 'maker' ? ts <= this.#closedMs : ts < this.#closedMs;
    if (!this.isBookless || isOlder) return;
    this.#lastPrice = Number(price);
    this.#owns.next(this.#lastPrice);
  }

  /** `top` at most every `everyMs`, leading and trailing. */
  sampledTop(everyMs: number, current: () => Top | undefined): Observable<Top> {
    return sampled({ clock: this.#clock, everyMs, changes: this.#topMoves.values, current });
  }

  /** Of a feed: the best prices have moved. */
  topMoved(): void {
    this.#topMoves.next(undefined);
  }

  /** `books` at most every `everyMs`, leading and trailing. */
  sampledBook(everyMs: number): Observable<BookView> {
    const current = (): BookView | undefined => (this.usable ? this.view : undefined);
    return sampled({ clock: this.#clock, everyMs, changes: this.#books.values, current });
  }

  /** Last trade or close; NaN before the first. */
  get lastPrice(): number {
    return this.#lastPrice > 0 ? this.#lastPrice : Number.NaN;
  }

  /** Mid of a usable two-sided book. If no book is to come, the last trade or close. */
  mid(): number | undefined {
    const { book } = this;
    if (this.usable && book.bidLots > 0 && book.askLots > 0) return midOf(book);
    return this.isBookless && this.#lastPrice > 0 ? this.#lastPrice : undefined;
  }

  /** The last price could be far from a book that is still to come. */
  get isBookless(): boolean {
    return !this.#expectsSnapshot && !this.#depthSeen && this.#topVersion === 0;
  }

  /** See `BookSync`. */
  get isNumbered(): boolean {
    return this.#sync.isNumbered;
  }

  /** Without values published before. Null while messages wait for a snapshot. */
  saved(shift: TapeShift): SavedBook | null {
    const sync = this.#sync.saved(shift);
    const isLost = this.#lost !== undefined;
    if (sync === null) return null;
    return { ladder: this.book.saved(shift), sync, flags: [this.usable, this.#depthSeen, this.#stale, isLost] };
  }

  /** Discards the book, as at a new subscription. */
  discardBook(reason: string): void {
    if (this.usable) this.#openLost(reason);
    this.#sync.discard(reason);
    this.usable = false;
  }

  complete(): void {
    this.candles.complete();
    for (const feed of [this.#top, this.#topMoves, this.#books, this.#trades, this.#gaps, this.#bars, this.#owns])
      feed.complete();
    for (const feed of [this.ticker, this.funding, this.mark]) feed.complete();
  }

  /** Since when and why the book is incomplete; undefined while complete. */
  get lost(): { readonly fromUs: number; readonly reason: string } | undefined {
    return this.#lost;
  }

  #onDepth(event: DepthEvent): void {
    if (!this.#depthSeen) {
      this.#depthSeen = true;
      this.usable = false;
    }
    const verdict = this.#sync.onDepth(event);
    if (verdict === 'applied') {
      if (!this.usable) this.#recovered(event.exchangeUs);
      this.#bookMoved();
    } else if (verdict === 'gap') {
      this.#bookLost(event.exchangeUs);
    }
  }

  #onQuote(event: QuoteEvent): void {
    // Merged also where no book stands: a snapshot may be older than the quote.
    if (!this.book.applyQuote(event) || (this.#depthSeen && !this.#sync.live)) return;
    if (!this.#depthSeen) {
      // Where a snapshot exists, the book starts there; a best quote before it is no book.
      if (this.#sync.start === 'snapshot') return;
      if (!this.usable) this.#recovered(event.exchangeUs);
    }
    if (this.usable && this.book.topVersion !== this.#topVersion) this.#bookMoved();
  }

  #onTrade(event: TradeEvent): void {
    this.#lastPrice = event.instrument.priceOf(event.ticks);
    this.candles.onTrade(event);
    if (this.#trades.observed) this.#trades.next(tradeOf(event));
  }

  #bookMoved(): void {
    if (this.book.topVersion !== this.#topVersion) {
      this.#topVersion = this.book.topVersion;
      if (this.#topMoves.observed && !this.isFed) this.#topMoves.next(undefined);
      if (this.#top.observed) {
        const top = topOf(this.book);
        if (top !== undefined) this.#top.next(top);
      }
    }
    if (this.#books.observed) this.#books.next(this.view);
  }

  #recovered(exchangeUs: number): void {
    this.usable = true;
    this.#stale = false;
    const lost = this.#lost;
    if (lost === undefined) return;
    this.#lost = undefined;
    this.#emitGap(lost.fromUs, exchangeUs, lost.reason);
  }

  #bookLost(exchangeUs: number): void {
    const { live, gapReason } = this.#sync;
    this.#openLost(gapReason);
    this.usable = false;
    if (live) {
      this.#recovered(exchangeUs);
      this.#bookMoved();
      return;
    }
    this.#onBookLost(gapReason);
  }

  #openLost(reason: string): void {
    if (this.#lost !== undefined || !(this.usable || this.#stale)) return;
    if (this.usable) this.breaks++;
    this.#lost = { fromUs: this.book.exchangeUs, reason };
    this.#emitGap(this.#lost.fromUs, null, reason);
  }

  #onGap(event: GapEvent): void {
    if (event.open) {
      this.#stale = this.usable || this.#stale;
      this.usable = false;
    }
    if (this.#gaps.observed) this.#gaps.next(gapOf(event));
    if (!event.open) return;
    const { live } = this.#sync;
    this.#sync.doubt(event.reason);
    if (live && !this.#sync.live) this.#onBookLost(event.reason);
  }

  #emitGap(fromUs: number, toUs: number | null, reason: string): void {
    if (!this.#gaps.observed) return;
    const { symbol } = this.book.instrument;
    this.#gaps.next(Object.freeze({ symbol, from: msOf(fromUs), to: toUs === null ? null : msOf(toUs), reason }));
  }
}
