/** Candles from recorded ones of the wanted or a divisor interval. */
import type { CandleEvent } from './market-event.ts';
import { alignDown } from '../time.ts';
import type { Candle } from './views.ts';

/** `unfit`: not a divisor. `ignored`: repeated, late, or another source. */
export type AggregateVerdict = 'taken' | 'ignored' | 'unfit';

export interface AggregatorState {
  readonly sourceMs: number;
  readonly lastOpenTime: number;
  readonly forming: Candle | undefined;
}

export class CandleAggregator {
  readonly symbol: string;
  readonly intervalMs: number;
  readonly #emit: (candle: Candle) => void;
  /** 0 before the first candle. The wanted interval wins over finer ones. */
  #sourceMs = 0;
  #lastOpenTime = Number.NEGATIVE_INFINITY;
  #forming: Candle | undefined;

  /** `emit` gets closed and forming candles, fresh and frozen. */
  constructor(symbol: string, intervalMs: number, emit: (candle: Candle) => void) {
    this.symbol = symbol;
    this.intervalMs = intervalMs;
    this.#emit = emit;
  }

  onCandle(event: CandleEvent): AggregateVerdict {
    const isWanted = event.intervalMs === this.intervalMs;
    if (!isWanted && this.intervalMs % event.intervalMs !== 0) return 'unfit';
    if (isWanted && this.#sourceMs !== this.intervalMs) {
      this.#sourceMs = event.intervalMs;
      this.#forming = undefined;
    }
    if (this.#sourceMs === 0) this.#sourceMs = event.intervalMs;
    if (event.intervalMs !== this.#sourceMs || event.openTime <= this.#lastOpenTime) return 'ignored';
    if (event.closed) this.#lastOpenTime = event.openTime;
    if (isWanted) this.#emit(this.#merged(undefined, event, event.openTime, event.closed));
    else if (event.closed) this.#join(event);
    return 'taken';
  }

  get state(): AggregatorState {
    return { sourceMs: this.#sourceMs, lastOpenTime: this.#lastOpenTime, forming: this.#forming };
  }

  resume({ sourceMs, lastOpenTime, forming }: AggregatorState): void {
    this.#sourceMs = sourceMs;
    this.#lastOpenTime = lastOpenTime;
    this.#forming = forming;
  }

  #join(event: CandleEvent): void {
    const openTime = alignDown(event.openTime, this.intervalMs);
    const begun = this.#forming;
    if (begun !== undefined && begun.openTime !== openTime) {
      this.#forming = undefined;
      this.#emit(Object.freeze({ ...begun, closed: true }));
    }
    const complete = event.openTime + event.intervalMs >= openTime + this.intervalMs;
    const candle = this.#merged(this.#forming, event, openTime, complete);
    this.#forming = complete ? undefined : candle;
    this.#emit(candle);
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
