/**
 * Candles from trades in exchange time, epoch-aligned, with exact sums.
 *
 *   trades   a  b │    │ c      an interval without a trade repeats the close with volume 0;
 *   candles  ─────┼────┼────    no candle before the first trade.
 */
import type { Instrument } from './instrument.ts';
import { US_PER_MS } from '../time.ts';
import type { Candle } from './views.ts';

/** Longer empty runs (clock step, data gap) are skipped. */
export const EMPTY_RUN_MAX = 10_000;

/** In ticks and lots. */
export interface BuilderState {
  readonly openUs: number;
  readonly trades: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** Of the last trade in any candle. */
  readonly close: number;
  readonly lots: number;
}

export class CandleBuilder {
  readonly instrument: Instrument;
  readonly intervalMs: number;
  /** End of the forming candle; infinite before the first trade. */
  boundaryUs = Number.POSITIVE_INFINITY;
  /** Trades too late for their candle; in no candle. */
  lateTrades = 0;
  /** Empty candles beyond `EMPTY_RUN_MAX`. */
  skipped = 0;
  readonly #intervalUs: number;
  readonly #onClosed: (candle: Candle) => void;
  #openUs = 0;
  #trades = 0;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #lots = 0;

  constructor(instrument: Instrument, intervalMs: number, onClosed: (candle: Candle) => void) {
    if (!(Number.isSafeInteger(intervalMs) && intervalMs > 0)) {
      throw new RangeError(`a candle interval is a whole number of ms above 0, got ${intervalMs}`);
    }
    this.instrument = instrument;
    this.intervalMs = intervalMs;
    this.#intervalUs = intervalMs * US_PER_MS;
    this.#onClosed = onClosed;
  }

  /** False when its candle has closed. */
  onTrade(exchangeUs: number, ticks: number, lots: number): boolean {
    if (exchangeUs >= this.boundaryUs) this.advance(exchangeUs);
    if (this.boundaryUs === Number.POSITIVE_INFINITY) this.#begin(exchangeUs, ticks);
    if (exchangeUs < this.#openUs) {
      this.lateTrades++;
      return false;
    }
    if (this.#trades === 0) {
      this.#open = ticks;
      this.#high = ticks;
      this.#low = ticks;
    } else if (ticks > this.#high) {
      this.#high = ticks;
    } else if (ticks < this.#low) {
      this.#low = ticks;
    }
    this.#close = ticks;
    this.#lots += lots;
    this.#trades++;
    return true;
  }

  /** Closes candles with a boundary at or before `exchangeUs`, oldest first. */
  advance(exchangeUs: number): void {
    if (exchangeUs < this.boundaryUs) return;
    const behind = Math.floor((exchangeUs - this.boundaryUs) / this.#intervalUs);
    this.#onClosed(this.#candle(true));
    this.#next(this.boundaryUs);
    if (behind > EMPTY_RUN_MAX) {
      this.skipped += behind;
      this.#next(this.#openUs + behind * this.#intervalUs);
      return;
    }
    for (let empty = 0; empty < behind; empty++) {
      this.#onClosed(this.#candle(true));
      this.#next(this.boundaryUs);
    }
  }

  /** Fresh and frozen; undefined before the first trade. */
  forming(): Candle | undefined {
    return this.boundaryUs === Number.POSITIVE_INFINITY ? undefined : this.#candle(false);
  }

  get state(): BuilderState | undefined {
    if (this.boundaryUs === Number.POSITIVE_INFINITY) return undefined;
    return {
      openUs: this.#openUs,
      trades: this.#trades,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      lots: this.#lots,
    };
  }

  resume({ openUs, trades, open, high, low, close, lots }: BuilderState): void {
    this.#close = close;
    this.#next(openUs);
    this.#trades = trades;
    this.#open = open;
    this.#high = high;
    this.#low = low;
    this.#lots = lots;
  }

  #begin(exchangeUs: number, ticks: number): void {
    this.#close = ticks;
    this.#next(Math.floor(exchangeUs / this.#intervalUs) * this.#intervalUs);
  }

  #next(openUs: number): void {
    this.#openUs = openUs;
    this.boundaryUs = openUs + this.#intervalUs;
    this.#trades = 0;
    this.#lots = 0;
    this.#open = this.#close;
    this.#high = this.#close;
    this.#low = this.#close;
  }

  #candle(closed: boolean): Candle {
    const { instrument } = this;
    return Object.freeze({
      symbol: instrument.symbol,
      openTime: this.#openUs / US_PER_MS,
      intervalMs: this.intervalMs,
      open: instrument.priceOf(this.#open),
      high: instrument.priceOf(this.#high),
      low: instrument.priceOf(this.#low),
      close: instrument.priceOf(this.#close),
      volume: instrument.quantityOf(this.#lots),
      closed,
    });
  }
}
