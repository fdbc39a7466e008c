/**
 * The market as strategies see it, the same code in backtest, paper and live: market events in receive order go in,
 * Observables come out, and risk reads the same books (`MarketReader`). Owns one synchronised book per symbol.
 *
 *   tape or live stream ── onEvent ──▶ symbol-market ──▶ top, book, trades, candles, ticker, funding, mark, gaps
 *                                          └──▶ best(), mid()
 *
 * States (`top`, `book`, `ticker`, `funding`, `mark`) emit the current value on subscribe; the rest does not replay.
 * Values are fresh and frozen, made only when somebody is subscribed; `BookView` is live.
 */
import type { Observable } from 'rxjs';
import type { BookStart } from '../model/book-sync.ts';
import type { Instrument, Instruments } from '../model/instrument.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import { createLadder } from '../model/ladder.ts';
import type { MarketEvent, SequenceRule } from '../model/market-event.ts';
import { nearest } from '../model/nearest.ts';
import { silentLogger, type Clock, type Logger, type MarketReader } from '../model/ports.ts';
import type { BookView, Candle, FundingRate, Gap, MarkPrice, Ticker, Top, Trade } from '../model/views.ts';
import { streamsErrors } from './errors.ts';
import type { Feed } from './feed.ts';
import type { CandlesState } from './symbol-candles.ts';
import { SymbolMarket } from './symbol-market.ts';

/** Depth messages that wait for their snapshot. */
const BUFFERED_MAX = 1024;

export interface MarketDataOptions {
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly log?: Logger;
  /** How depth proves itself; default `seq`, the wire profile's. A backtest takes it from the tape. */
  readonly sequenceRule?: (symbol: string) => SequenceRule;
  /** Rule T5; default `snapshot`. `updates` for a symbol without a snapshot anywhere in the data. */
  readonly bookStart?: (symbol: string) => BookStart;
  /** A strategy has asked for this feed; called once per symbol and feed. The live stream subscribes its channel. */
  readonly demand?: (symbol: string, feed: Feed) => void;
  /** The book of a symbol was given up and needs a snapshot. Called inside `onEvent`. */
  readonly onBookLost?: (symbol: string, reason: string) => void;
  readonly knobs?: Knobs;
}

/** The part that a strategy's context hands out. */
export interface MarketStreams {
  /** This and all others throw `unknown_symbol`, with the nearest symbols. */
  instrument(symbol: string): Instrument;
  /** When the best price or quantity of a side changes; silent while the book is not usable or a side is empty. */
  top(symbol: string): Observable<Top>;
  /** On every change of the book. */
  book(symbol: string): Observable<BookView>;
  trades(symbol: string): Observable<Trade>;
  /**
   * Closed candles, with `forming` also the unfinished one after each trade. The first one holds what was traded since
   * the interval was first asked for, or what an earlier session left (`resumeCandles`). Throws `bad_interval`.
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
  #lastInstrument: Instrument | undefined;
  #lastMarket: SymbolMarket | undefined;
  #isWatched = false;
  #catchUp: () => void = () => {};

  constructor(options: MarketDataOptions) {
    this.#options = options;
  }

  /** One market event, in receive order. The event is not kept. */
  readonly onEvent = (event: MarketEvent): void => {
    const { instrument } = event;
    if (instrument !== this.#lastInstrument) {
      this.#lastMarket = this.#marketOf(instrument);
      this.#lastInstrument = instrument;
    }
    this.#lastMarket!.onEvent(event);
  };

  /**
   * Whether a stream or a view was ever handed out. Until then nobody can tell when an event came, only what `best` and
   * `mid` answer: the feed may hold events back and hand them over in `catchUp`.
   */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** Called before anything is read or subscribed: hands over the events that are due by now. */
  feedOnDemand(catchUp: () => void): void {
    this.#catchUp = catchUp;
  }

  instrument(symbol: string): Instrument {
    const instrument = this.#options.instruments.find(symbol);
    if (instrument !== undefined) return instrument;
    const known = this.#options.instruments.symbols();
    const near = nearest(symbol, known, 3);
    const hint =
      near.length > 0 ? `nearest: ${near.join(', ')}` : `known are ${known.slice(0, 10).join(', ') || 'none'}`;
    throw streamsErrors.make('unknown_symbol', `no instrument "${symbol}"; ${hint}`, { symbol, nearest: near });
  }

  top(symbol: string): Observable<Top> {
    return this.#demand(symbol, 'depth').top;
  }

  book(symbol: string): Observable<BookView> {
    return this.#demand(symbol, 'depth').books;
  }

  trades(symbol: string): Observable<Trade> {
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

  gaps(symbol: string): Observable<Gap> {
    return this.#watched(symbol).gaps;
  }

  /** The live book while it is usable: read it now, do not keep it. */
  best(symbol: string): ReturnType<MarketReader['best']> {
    this.#catchUp();
    const market = this.#markets.get(symbol);
    return market?.usable === true ? market.book : undefined;
  }

  mid(symbol: string): number | undefined {
    this.#catchUp();
    return this.#markets.get(symbol)?.mid();
  }

  /** The live view, without subscribing: for the terminal, the dashboard and reports. */
  view(symbol: string): BookView {
    return this.#watched(symbol).view;
  }

  /** Gives a book up until its next snapshot, as when its channel is subscribed anew. */
  discardBook(symbol: string, reason: string): void {
    this.#catchUp();
    this.#markets.get(symbol)?.discardBook(reason);
  }

  /** Whether the messages of a book have numbers, by which a missing one shows. */
  isNumbered(symbol: string): boolean {
    return this.#markets.get(symbol)?.isNumbered === true;
  }

  /** Candles that were asked for as they stand at `exchangeUs`; those that end by then are closed first. */
  candlesAt(exchangeUs: number): ReadonlyMap<string, CandlesState> {
    const states = [...this.#markets].map(([symbol, { candles }]) => [symbol, candles.stateAt(exchangeUs)] as const);
    return new Map(states.filter(([, { feeds }]) => feeds.length > 0));
  }

  /** Goes on with candles where another session over the same data stood. Before its first event. */
  resumeCandles(states: ReadonlyMap<string, CandlesState>): void {
    for (const [symbol, state] of states) this.#marketOf(this.instrument(symbol)).candles.resume(state);
  }

  /** Ends the session: completes every stream and stops the timers. */
  close(): void {
    for (const market of this.#markets.values()) market.complete();
  }

  #demand(symbol: string, feed: Feed): SymbolMarket {
    const market = this.#watched(symbol);
    const key = `${symbol}/${feed}`;
    if (!this.#demanded.has(key)) {
      this.#demanded.add(key);
      this.#options.demand?.(symbol, feed);
    }
    return market;
  }

  #watched(symbol: string): SymbolMarket {
    const market = this.#marketOf(this.instrument(symbol));
    this.#isWatched = true;
    this.#catchUp();
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
      this.#markets.set(symbol, market);
    }
    return market;
  }
}

export function createMarketData(options: MarketDataOptions): MarketData {
  return new MarketData(options);
}
