/**
 * What a strategy may ask of the market: the part of `streams/` that the context hands out. Streams of states (top,
 * book, ticker, funding, mark) emit the current value on subscribe; trades, candles and gaps do not replay.
 * Strategy API, "Context".
 */
import type { Observable } from 'rxjs';
import type { Instrument } from '../model/instrument.ts';
import type { BookView, Candle, FundingRate, Gap, MarkPrice, Ticker, Top, Trade } from '../model/views.ts';

export interface CandleOptions {
  /** Also emit the candle that is not closed yet, on each trade. */
  readonly forming?: boolean;
}

export interface StrategyMarket {
  /** Throws for a symbol that the venue does not have. */
  instrument(symbol: string): Instrument;
  top(symbol: string): Observable<Top>;
  book(symbol: string): Observable<BookView>;
  trades(symbol: string): Observable<Trade>;
  /** `interval` is a duration such as `'1m'`. */
  candles(symbol: string, interval: string, options?: CandleOptions): Observable<Candle>;
  ticker(symbol: string): Observable<Ticker>;
  funding(symbol: string): Observable<FundingRate>;
  mark(symbol: string): Observable<MarkPrice>;
  gaps(symbol: string): Observable<Gap>;
}
