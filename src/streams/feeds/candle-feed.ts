/** One symbol's candles of one interval, shared: from trades, else from recorded candles. */
import { Observable } from 'rxjs';
import { CandleAggregator, type AggregateVerdict, type AggregatorState } from '../../model/market/candle-aggregator.ts';
import { CandleBuilder, type BuilderState } from '../../model/market/candle-builder.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { CandleEvent, TradeEvent } from '../../model/market/market-event.ts';
import type { Candle } from '../../model/market/views.ts';
import type { VolumeSeries } from '../../model/market/volume-days.ts';
import { Fanout } from './fanout.ts';

/** The forming candle of one interval and those before it. */
export interface FeedState {
  readonly intervalMs: number;
  readonly built: BuilderState | undefined;
  readonly recorded: AggregatorState;
}

export class CandleFeed {
  readonly intervalMs: number;
  readonly builder: CandleBuilder;
  /** Closed candles alone; each subscription calls `onSubscribed`, which starts the timer. */
  readonly closed: Observable<Candle>;
  /** Closed candles and the forming one after each trade. */
  readonly forming: Observable<Candle>;
  readonly #aggregator: CandleAggregator;
  /** A recorded candle was of use. */
  isMade = false;
  readonly #volumes: VolumeSeries | null;
  readonly #closed = new Fanout<Candle>();
  readonly #forming = new Fanout<Candle>();

  constructor(instrument: Instrument, intervalMs: number, volumes: VolumeSeries | null, onSubscribed: () => void) {
    this.intervalMs = intervalMs;
    this.#volumes = volumes;
    this.builder = new CandleBuilder(instrument, intervalMs, (candle) => this.#emit(candle));
    this.#aggregator = new CandleAggregator(instrument.symbol, intervalMs, (candle) => this.#emit(candle));
    const watched = ({ values }: Fanout<Candle>): Observable<Candle> =>
      new Observable((subscriber) => {
        const subscription = values.subscribe(subscriber);
        onSubscribed();
        return subscription;
      });
    this.closed = watched(this.#closed);
    this.forming = watched(this.#forming);
  }

  get observed(): boolean {
    return this.#closed.observed || this.#forming.observed;
  }

  onTrade(event: TradeEvent): boolean {
    const inTime = this.builder.onTrade(event.exchangeUs, event.ticks, event.lots);
    if (inTime && this.#forming.observed) {
      const candle = this.builder.forming();
      if (candle !== undefined) this.#forming.next(candle);
    }
    return inTime;
  }

  onRecorded(event: CandleEvent): AggregateVerdict {
    return this.#aggregator.onCandle(event);
  }

  get state(): FeedState {
    return { intervalMs: this.intervalMs, built: this.builder.state, recorded: this.#aggregator.state };
  }

  /** Before the first event. */
  resume({ built, recorded }: FeedState): void {
    if (built !== undefined) this.builder.resume(built);
    this.#aggregator.resume(recorded);
  }

  complete(): void {
    this.#closed.complete();
    this.#forming.complete();
  }

  #emit(candle: Candle): void {
    if (candle.closed) {
      this.#volumes?.add(candle.openTime, candle.volume);
      if (this.#closed.observed) this.#closed.next(candle);
    }
    if (this.#forming.observed) this.#forming.next(candle);
  }
}
