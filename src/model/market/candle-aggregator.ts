/** Candles from recorded ones of the wanted or a divisor interval. */
import type { CandleEvent } from './market-event.ts';
import { alignDown } from '../time.ts';
import type { Candle } from './views.ts';

/** `unfit`: not a divisor. `ignored`: repeated, late, or another source. */
export type AggregateVerdict = 'taken' | 'ignored' | 'unfit';

/** Recorded bars of one interval, and what they make of the wanted one. */
interface Source {
  readonly intervalMs: number;
  lastOpenTime: number;
  forming: Candle | undefined;
  /** Bars in `forming`. */
  joined: number;
}

export interface AggregatorState {
  readonly emittedOpenTime: number;
  readonly sources: readonly Readonly<Source>[];
}

/**
 * Each candle once, of the source that has it whole first: of bars that close together a coarse candle so comes with the
 * first, whichever that is. A candle with holes waits for the other sources, if there are any.
 */
export class CandleAggregator {
  readonly symbol: string;
  readonly intervalMs: number;
  readonly #emit: (candle: Candle) => void;
  #sources: Source[] = [];
  /** Of the newest event, without a search. */
  #newest: Source | undefined;
  /** With bars of the wanted interval. */
  #wanted: Source | undefined;
  /** Of the newest closed candle. */
  #emittedOpenTime = Number.NEGATIVE_INFINITY;

  /** `emit` gets closed and forming candles, fresh and frozen. */
  constructor(symbol: string, intervalMs: number, emit: (candle: Candle) => void) {
    this.symbol = symbol;
    this.intervalMs = intervalMs;
    this.#emit = emit;
  }

  onCandle(event: CandleEvent): AggregateVerdict {
    if (this.intervalMs % event.intervalMs !== 0) return 'unfit';
    const isWanted = event.intervalMs === this.intervalMs;
    // Recorded ones with other boundaries go alone.
    if (!isWanted && this.#wanted !== undefined && this.#wanted.lastOpenTime % this.intervalMs !== 0) return 'ignored';
    const source = this.#sourceOf(event.intervalMs);
    if (event.openTime <= source.lastOpenTime) return 'ignored';
    if (event.closed) source.lastOpenTime = event.openTime;
    if (isWanted) return this.#give(this.#merged(undefined, event, event.openTime, event.closed)) ? 'taken' : 'ignored';
    if (event.closed) this.#join(event, source);
    return 'taken';
  }

  get state(): AggregatorState {
    return { emittedOpenTime: this.#emittedOpenTime, sources: this.#sources.map((source) => ({ ...source })) };
  }

  resume({ emittedOpenTime, sources }: AggregatorState): void {
    this.#emittedOpenTime = emittedOpenTime;
    this.#sources = sources.map((source) => ({ ...source }));
    this.#newest = undefined;
    this.#wanted = this.#sources.find((source) => source.intervalMs === this.intervalMs);
  }

  #sourceOf(intervalMs: number): Source {
    if (this.#newest?.intervalMs === intervalMs) return this.#newest;
    let source = this.#sources.find((known) => known.intervalMs === intervalMs);
    if (source === undefined) {
      source = { intervalMs, lastOpenTime: Number.NEGATIVE_INFINITY, forming: undefined, joined: 0 };
      this.#sources.push(source);
      if (intervalMs === this.intervalMs) this.#wanted = source;
    }
    this.#newest = source;
    return source;
  }

  #join(event: CandleEvent, source: Source): void {
    const openTime = alignDown(event.openTime, this.intervalMs);
    const begun = source.forming;
    if (begun !== undefined && begun.openTime !== openTime) {
      source.forming = undefined;
      this.#give(Object.freeze({ ...begun, closed: true }));
    }
    source.joined = source.forming === undefined ? 1 : source.joined + 1;
    const isLast = event.openTime + event.intervalMs >= openTime + this.intervalMs;
    const isWhole = source.joined * source.intervalMs >= this.intervalMs;
    const isComplete = isLast && (isWhole || this.#sources.length === 1);
    const candle = this.#merged(source.forming, event, openTime, isComplete);
    source.forming = isComplete ? undefined : candle;
    if (isComplete || this.#wanted === undefined) this.#give(candle);
  }

  #give(candle: Candle): boolean {
    if (candle.openTime <= this.#emittedOpenTime) return false;
    if (candle.closed) this.#emittedOpenTime = candle.openTime;
    this.#emit(candle);
    return true;
  }

  #merged(begun: Candle | undefined, event: CandleEvent, openTime: number, closed: boolean): Candle {
    return Object.freeze({
      symbol: this.symbol,
      openTime,
      intervalMs: this.intervalMs,
      open: begun?.open ?? event.open,
      high: begun === undefined ? event.high : Math.max(begun.high, event.high),
      low: begun === undefined ? event.low : Math.min(begun.low, event.low),
      close: event.close,
      volume: (begun?.volume ?? 0) + event.volume,
      closed,
    });
  }
}
