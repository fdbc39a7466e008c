/**
 * The market as strategies see it, the same code in every mode. Owns one book per symbol, which risk reads too.
 *
 *   tape or live stream ── onEvent ──▶ symbol-market ──▶ top, book, trades, candles, ticker, funding, mark, gaps
 *                                          └──▶ best(), mid()
 *
 * States (`top`, `book`, `ticker`, `funding`, `mark`) emit their current value on subscribe; other streams do not
 * replay. Values are frozen and made only for subscribers; `BookView` is live.
 */
import type { Observable } from 'rxjs';
import type { BookStart } from '../model/book/book-sync.ts';
import { sweep, type Sweep } from '../model/book/sweep.ts';
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import { createLadder } from '../model/book/ladder.ts';
import type { MarketEvent, SequenceRule } from '../model/market/market-event.ts';
import { nearest } from '../model/text/nearest.ts';
import type { SavedBook, TapeShift } from '../model/book/saved-book.ts';
import type { Side } from '../model/trading/order.ts';
import { silentLogger, type Cancel, type Clock, type Logger, type MarketReader } from '../model/ports.ts';
import type {
  BookView,
  Candle,
  FundingRate,
  Gap,
  MarketView,
  MarkPrice,
  Ticker,
  Top,
  Trade,
} from '../model/market/views.ts';
import { streamsErrors } from './errors.ts';
import { FED, type DemandFeed } from './feeds/demand-feed.ts';
import type { Feed } from './feeds/feed.ts';
import { FEED_OF, followed, type Followed, type Hear } from './feeds/followed.ts';
import type { CandlesState } from './feeds/symbol-candles.ts';
import { msOf, parseDuration } from '../model/time.ts';
import { midOf, topOf, type SeenTop } from './market-values.ts';
import { createMarketView } from './market-view.ts';
import { SymbolMarket } from './symbol-market.ts';

/** Depth messages held until the snapshot. */
const BUFFERED_MAX = 1024;

export interface MarketDataOptions {
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly log?: Logger;
  /** How depth messages are sequenced; default `seq`. */
  readonly sequenceRule?: (symbol: string) => SequenceRule;
  /** Rule T5; default `snapshot`. `updates` for a symbol whose data has no snapshot. */
  readonly bookStart?: (symbol: string) => BookStart;
  /** Called once per symbol and feed, when a strategy first asks for it. */
  readonly demand?: (symbol: string, feed: Feed) => void;
  /** The book was discarded and needs a snapshot. Called inside `onEvent`. */
  readonly onBookLost?: (symbol: string, reason: string) => void;
  /** Of data that may have no marks: before the first one the mid counts, as at the simulated venue. */
  readonly isMidMark?: boolean;
  readonly knobs?: Knobs;
}

export interface Sampling {
  /**
   * A duration such as `'250ms'`: at most one value per window, the first change at once, then the newest state at the end
   * of each window with a change. A book that is not usable then is not emitted. Throws `bad_interval`.
   */
  readonly every?: string;
}

/** The part in a strategy's context. */
export interface MarketStreams {
  /** Every method throws `unknown_symbol`, with the nearest symbols. */
  instrument(symbol: string): Instrument;
  /** What is known now, without a stream; the same view at each call, to keep. */
  view(symbol: string): MarketView;
  /** Changes of the best price or quantity while the book is usable. Never on bars alone: take `candles`, `bars` or `view`. */
  top(symbol: string, options?: Sampling): Observable<Top>;
  /** On every change of the book. */
  book(symbol: string, options?: Sampling): Observable<BookView>;
  trades(symbol: string): Observable<Trade>;
  /**
   * Closed candles; with `forming` also the unfinished one after each trade. The first begins at the first request or
   * an earlier session's state. Throws `bad_interval`.
   */
  candles(symbol: string, interval: string, options?: { readonly forming?: boolean }): Observable<Candle>;
  ticker(symbol: string): Observable<Ticker>;
  funding(symbol: string): Observable<FundingRate>;
  mark(symbol: string): Observable<MarkPrice>;
  gaps(symbol: string): Observable<Gap>;
}

export class MarketData implements MarketStreams, MarketReader {
  readonly #options: MarketDataOptions;
  readonly #markets = new Map<string, SymbolMarket>();
  readonly #demanded = new Set<string>();
  /** Streams of books and trades that were handed out, such as `top BTCUSDT`. */
  readonly asked = new Set<string>();
  readonly #views = new Map<string, MarketView>();
  #lastInstrument: Instrument | undefined;
  #lastMarket: SymbolMarket | undefined;
  #isWatched = false;
  #isSampled = false;
  #needsEvents = false;
  #feed = FED;
  #seen: SeenTop | undefined | null = null;

  constructor(options: MarketDataOptions) {
    this.#options = options;
  }

  /** One market event, in receive order; not kept. */
  readonly onEvent = (event: MarketEvent): void => {
    const { instrument } = event;
    if (instrument !== this.#lastInstrument) {
      this.#lastMarket = this.#marketOf(instrument);
      this.#lastInstrument = instrument;
    }
    this.#lastMarket!.onEvent(event);
  };

  /** A stream was handed out. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** Of sampled best prices. */
  get isSampled(): boolean {
    return this.#isSampled;
  }

  /** False while only sampled best prices were handed out. */
  get needsEvents(): boolean {
    return this.#needsEvents;
  }

  /** Until `feedsAll`, the feed reports moves of the best prices (`topMoved`), if it knows them beforehand. */
  feedOnDemand(feed: DemandFeed): void {
    this.#feed = feed;
    for (const market of this.#markets.values()) market.isFed = true;
  }

  feedsAll(): void {
    this.#feed = FED;
    for (const market of this.#markets.values()) market.isFed = false;
  }

  topMoved(symbol: string): void {
    this.#markets.get(symbol)?.topMoved();
  }

  instrument(symbol: string): Instrument {
    const instrument = this.#options.instruments.find(symbol);
    if (instrument !== undefined) return instrument;
    const known = this.#options.instruments.symbols();
    const near = typeof symbol === 'string' ? nearest(symbol, known, 3) : [];
    const hint =
      near.length > 0 ? `nearest: ${near.join(', ')}` : `known are ${known.slice(0, 10).join(', ') || 'none'}`;
    throw streamsErrors.make('unknown_symbol', `no instrument "${symbol}"; ${hint}`, { symbol, nearest: near });
  }

  top(symbol: string, { every }: Sampling = {}): Observable<Top> {
    const everyMs = samplingMs(every);
    this.asked.add(`top ${symbol}`);
    if (everyMs === undefined) return this.#demand(symbol, 'depth').top;
    this.#isSampled = true;
    const market = this.#watched(symbol);
    this.#demandOnce(symbol, 'depth');
    return market.sampledTop(everyMs, () => this.#topNow(symbol));
  }

  book(symbol: string, { every }: Sampling = {}): Observable<BookView> {
    const everyMs = samplingMs(every);
    this.asked.add(`book ${symbol}`);
    const market = this.#demand(symbol, 'depth');
    return everyMs === undefined ? market.books : market.sampledBook(everyMs);
  }

  trades(symbol: string): Observable<Trade> {
    this.asked.add(`trades ${symbol}`);
    return this.#demand(symbol, 'trades').trades;
  }

  candles(symbol: string, interval: string, options: { readonly forming?: boolean } = {}): Observable<Candle> {
    return this.#demand(symbol, 'trades').candles.of(interval, options.forming === true);
  }

  ticker(symbol: string): Observable<Ticker> {
    return this.#demand(symbol, 'ticker').ticker.values;
  }

  funding(symbol: string): Observable<FundingRate> {
    return this.#demand(symbol, 'funding').funding.values;
  }

  mark(symbol: string): Observable<MarkPrice> {
    return this.#demand(symbol, 'mark').mark.values;
  }

  /** Open gaps of the order books. */
  openGaps(): readonly Gap[] {
    if (this.#seen === undefined) this.#feed.settle();
    else if (this.#seen !== null) return [];
    return [...this.#markets].flatMap(([symbol, { lost }]) =>
      lost === undefined ? [] : [{ symbol, from: msOf(lost.fromUs), to: null, reason: lost.reason }],
    );
  }

  /** Candles that the data cannot make; a sentence each. */
  unfitCandles(): readonly string[] {
    return [...this.#markets.values()].flatMap(({ candles }) => candles.unfit());
  }

  gaps(symbol: string): Observable<Gap> {
    this.#needsEvents = true;
    return this.#watched(symbol).gaps;
  }

  /** Times that a usable book of the symbol broke: lost or unreadable messages. */
  breaks(symbol: string): number {
    return this.#markets.get(symbol)?.breaks ?? 0;
  }

  /** The live book while usable, else undefined; do not keep it. */
  best(symbol: string): SeenTop | undefined {
    const seen = this.#see();
    if (seen !== null) return seen?.instrument.symbol === symbol ? seen : undefined;
    this.#deliver();
    const market = this.#markets.get(symbol);
    return market?.usable === true ? market.book : undefined;
  }

  /** See `MarketReader`. */
  sweep(symbol: string, side: Side, lots: number): Sweep | undefined {
    this.#deliver();
    const market = this.#markets.get(symbol);
    return market?.usable === true ? sweep(market.book, side, lots) : undefined;
  }

  mid(symbol: string): number | undefined {
    const seen = this.#see();
    if (seen !== null) return seen?.instrument.symbol === symbol ? midOf(seen) : undefined;
    this.#deliver();
    return this.#markets.get(symbol)?.mid();
  }

  /** See `MarketReader`. */
  follow(symbol: string, kind: Followed, hear: Hear): Cancel {
    return followed(this.#demand(symbol, FEED_OF[kind]), kind, hear, this.#options.isMidMark === true);
  }

  /** See `MarketReader`. */
  traded(fill: Parameters<SymbolMarket['traded']>[0]): void {
    const market = this.#markets.get(fill.symbol);
    if (market?.isBookless !== true) return;
    this.#deliver();
    market.traded(fill);
  }

  /** Does not subscribe: events may wait between two reads. */
  view(symbol: string): MarketView {
    const known = this.#views.get(symbol);
    if (known !== undefined) return known;
    const market = this.#marketOf(this.instrument(symbol));
    const hasMark = market.book.instrument.market !== 'spot';
    this.#demandOnce(symbol, 'depth');
    const view = createMarketView({
      market,
      catchUp: () => this.#deliver(),
      glance: () => this.#see(),
      // If it is polled, a poll is due only for a reader.
      needMark: () => {
        if (hasMark) this.#demandOnce(symbol, 'mark');
      },
    });
    this.#views.set(symbol, view);
    return view;
  }

  /** The market's part of a symbol's book. Null while messages wait for a snapshot. */
  savedBook(symbol: string, shift: TapeShift): SavedBook | null {
    return this.#markets.get(symbol)?.saved(shift) ?? null;
  }

  /** Discards a book until its next snapshot. */
  discardBook(symbol: string, reason: string): void {
    this.#deliver();
    this.#markets.get(symbol)?.discardBook(reason);
  }

  /** Whether the book's messages have numbers, so that a missing one shows. */
  isNumbered(symbol: string): boolean {
    return this.#markets.get(symbol)?.isNumbered === true;
  }

  /** The candles as of `exchangeUs`, after closing those that end by then. */
  candlesAt(exchangeUs: number): ReadonlyMap<string, CandlesState> {
    const states = [...this.#markets].map(([symbol, { candles }]) => [symbol, candles.stateAt(exchangeUs)] as const);
    return new Map(states.filter(([, { feeds }]) => feeds.length > 0));
  }

  /** Candles from before the start, for the volumes of earlier days. */
  remember(symbol: string, candles: readonly Candle[]): void {
    const instrument = this.#options.instruments.find(symbol);
    if (instrument !== undefined) this.#marketOf(instrument).candles.volumes.remember(candles);
  }

  /** See `MarketReader`. From the first call on the day that runs is remembered, too. */
  volumes(symbol: string, fromMs: number, overMs: number, parts: number): readonly number[] | null {
    const { candles } = this.#demand(symbol, 'trades');
    candles.keepVolumes();
    return candles.volumes.curve(fromMs, overMs, parts);
  }

  /** From another session over the same data; before the first event. */
  resumeCandles(states: ReadonlyMap<string, CandlesState>): void {
    for (const [symbol, state] of states) this.#marketOf(this.instrument(symbol)).candles.resume(state);
  }

  /** Completes every stream and stops the timers. */
  close(): void {
    for (const market of this.#markets.values()) market.complete();
  }

  #deliver(): void {
    this.#seen = null;
    this.#feed.deliver();
  }

  #topNow(symbol: string): Top | undefined {
    const seen = this.#see();
    if (seen !== null) return seen?.instrument.symbol === symbol ? topOf(seen) : undefined;
    this.#deliver();
    const market = this.#markets.get(symbol);
    return market?.usable === true ? topOf(market.book) : undefined;
  }

  #see(): SeenTop | undefined | null {
    this.#seen = this.#feed.glance();
    return this.#seen;
  }

  #demand(symbol: string, feed: Feed): SymbolMarket {
    this.#needsEvents = true;
    const market = this.#watched(symbol);
    this.#demandOnce(symbol, feed);
    return market;
  }

  #demandOnce(symbol: string, feed: Feed): void {
    const key = `${symbol}/${feed}`;
    if (this.#demanded.has(key)) return;
    this.#demanded.add(key);
    this.#options.demand?.(symbol, feed);
  }

  #watched(symbol: string): SymbolMarket {
    const market = this.#marketOf(this.instrument(symbol));
    this.#isWatched = true;
    this.#deliver();
    return market;
  }

  #marketOf(instrument: Instrument): SymbolMarket {
    const { symbol } = instrument;
    let market = this.#markets.get(symbol);
    if (market === undefined) {
      const { clock, log = silentLogger, sequenceRule, bookStart, onBookLost, knobs = asWritten } = this.#options;
      market = new SymbolMarket({
        book: createLadder(instrument),
        sync: {
          rule: sequenceRule?.(symbol) ?? 'seq',
          start: bookStart?.(symbol) ?? 'snapshot',
          bufferedMax: knobs('depth-buffer', BUFFERED_MAX),
        },
        clock,
        log,
        onBookLost: (reason) => onBookLost?.(symbol, reason),
      });
      market.isFed = this.#feed !== FED;
      this.#markets.set(symbol, market);
    }
    return market;
  }
}

/** Throws `bad_interval`. */
function samplingMs(every: string | undefined): number | undefined {
  if (every === undefined) return undefined;
  const everyMs = parseDuration(every);
  if (everyMs > 0) return everyMs;
  throw streamsErrors.make('bad_interval', `every: '${every}' is not a duration such as '250ms' or '1s'`, { every });
}
