/**
 * All candle intervals of a symbol and their timer. A candle closes with the first event past
 * its boundary in exchange time, or a second later by the clock. Timers run only for subscribers.
 */
import type { Observable } from 'rxjs';
import { EMPTY_RUN_MAX } from '../../model/market/candle-builder.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { CandleEvent, MarketEvent, TradeEvent } from '../../model/market/market-event.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { US_PER_MS, parseDuration } from '../../model/time.ts';
import type { Candle } from '../../model/market/views.ts';
import { VolumeDays } from '../../model/market/volume-days.ts';
import { CandleFeed, type FeedState } from './candle-feed.ts';
import { streamsErrors } from '../errors.ts';

const GRACE_US = 1_000_000;
const KEPT_INTERVAL = '1m';
/** An event time this far ahead of its receipt is wrong and closes nothing. */
const AHEAD_MAX_US = 3_600_000_000;

/** The state of all intervals, for another session to continue. */
export interface CandlesState {
  readonly fromTrades: boolean;
  /** Exchange time minus receive time of the last event, µs. */
  readonly offsetUs: number;
  readonly feeds: readonly FeedState[];
}

export class SymbolCandles {
  /** The earliest boundary of any interval; callers compare it before `advance`. */
  boundaryUs = Number.POSITIVE_INFINITY;
  readonly volumes = new VolumeDays();
  #keepsVolumes = false;
  readonly #instrument: Instrument;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #feeds: CandleFeed[] = [];
  /** Recorded interval by wanted one that it cannot make. */
  readonly #unfit = new Map<number, number>();
  #fromTrades = false;
  /** Exchange time minus receive time of the last event, µs. */
  #offsetUs = 0;
  #timer: Cancel | undefined;

  constructor(instrument: Instrument, clock: Clock, log: Logger) {
    this.#instrument = instrument;
    this.#clock = clock;
    this.#log = log;
  }

  /** Throws `bad_interval`. */
  of(interval: string, forming: boolean): Observable<Candle> {
    const intervalMs = parseDuration(interval);
    if (!(Number.isSafeInteger(intervalMs) && intervalMs > 0)) {
      const { symbol } = this.#instrument;
      const given = typeof interval === 'string' ? `"${interval}"` : String(interval);
      throw streamsErrors.make(
        'bad_interval',
        `candle interval ${given} is not a duration such as 1m, 5m or 1h; write candles('${symbol}', '1m')`,
        { interval },
      );
    }
    const feed = this.#feed(intervalMs);
    return forming ? feed.forming : feed.closed;
  }

  /** A strategy may take no candles, and the volumes of today are the earlier ones of tomorrow. */
  keepVolumes(): void {
    if (this.#keepsVolumes) return;
    this.#keepsVolumes = true;
    this.of(KEPT_INTERVAL, false).subscribe();
  }

  /** Closes what ends by `exchangeUs` and returns the state. */
  stateAt(exchangeUs: number): CandlesState {
    this.#advanceTo(exchangeUs);
    return {
      fromTrades: this.#fromTrades,
      offsetUs: this.#offsetUs,
      feeds: this.#feeds.map((feed) => feed.state),
    };
  }

  /** Call before the first event and the first request. */
  resume({ fromTrades, offsetUs, feeds }: CandlesState): void {
    this.#fromTrades = fromTrades;
    this.#offsetUs = offsetUs;
    for (const state of feeds) this.#feed(state.intervalMs).resume(state);
    this.#arm();
  }

  onTrade(event: TradeEvent): void {
    this.#fromTrades = true;
    if (this.#feeds.length === 0 || event.exchangeUs - event.receiveUs > AHEAD_MAX_US) return;
    this.#offsetUs = event.exchangeUs - event.receiveUs;
    if (event.exchangeUs >= this.boundaryUs) this.advance(event);
    for (const feed of this.#feeds) {
      feed.onTrade(event);
      if (feed.builder.boundaryUs < this.boundaryUs) this.#arm();
    }
  }

  /** An event of the symbol at or past `boundaryUs`. */
  advance(event: MarketEvent): void {
    const offsetUs = event.exchangeUs - event.receiveUs;
    if (offsetUs > AHEAD_MAX_US) return;
    this.#offsetUs = offsetUs;
    this.#advanceTo(event.exchangeUs);
  }

  onRecorded(event: CandleEvent): void {
    if (this.#fromTrades) return;
    for (let index = 0; index < this.#feeds.length; index++) {
      const feed = this.#feeds[index]!;
      const verdict = feed.onRecorded(event);
      if (verdict === 'taken') feed.isMade = true;
      else if (verdict === 'unfit' && !this.#unfit.has(feed.intervalMs))
        this.#unfit.set(feed.intervalMs, event.intervalMs);
    }
  }

  complete(): void {
    this.#timer?.();
    this.#timer = undefined;
    for (const feed of this.#feeds) feed.complete();
  }

  #feed(intervalMs: number): CandleFeed {
    let feed = this.#feeds.find((known) => known.intervalMs === intervalMs);
    if (feed === undefined) {
      feed = new CandleFeed(this.#instrument, intervalMs, this.volumes.of(intervalMs), () => this.#arm());
      this.#feeds.push(feed);
      // The longest first, so that a decision on a short candle knows the long one that closed with it.
      this.#feeds.sort((left, right) => right.intervalMs - left.intervalMs);
    }
    return feed;
  }

  /** Boundary by boundary, so that no candle is preceded by one that closed later. */
  #advanceTo(exchangeUs: number): void {
    for (let dueUs = this.#earliestUs(); dueUs <= exchangeUs; dueUs = this.#earliestUs()) {
      for (const feed of this.#feeds) {
        if (feed.builder.boundaryUs === dueUs) this.#close(feed, dueUs, exchangeUs);
      }
    }
    this.#arm();
  }

  /** A hole that is too long for empty candles is skipped at once. */
  #close({ builder, intervalMs }: CandleFeed, dueUs: number, exchangeUs: number): void {
    const isLong = exchangeUs - dueUs > EMPTY_RUN_MAX * intervalMs * US_PER_MS;
    const { skipped } = builder;
    builder.advance(isLong ? exchangeUs : dueUs);
    const empty = builder.skipped - skipped;
    if (empty === 0) return;
    const { symbol } = this.#instrument;
    this.#log.warn({ symbol, intervalMs, empty }, 'a hole too long for empty candles was skipped');
  }

  #earliestUs(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { builder } of this.#feeds) if (builder.boundaryUs < earliest) earliest = builder.boundaryUs;
    return earliest;
  }

  /** Sets the timer for the earliest boundary with a subscriber. */
  #arm(): void {
    this.#timer?.();
    this.#timer = undefined;
    let awaited = Number.POSITIVE_INFINITY;
    for (const feed of this.#feeds) {
      const { boundaryUs } = feed.builder;
      if (boundaryUs < awaited && feed.observed) awaited = boundaryUs;
    }
    this.boundaryUs = this.#earliestUs();
    if (awaited === Number.POSITIVE_INFINITY) return;
    const dueUs = awaited + GRACE_US - this.#exchangeNowUs();
    // Rounded up: a timer that fires early closes nothing and loops.
    this.#timer = this.#clock.after(Math.ceil(dueUs / US_PER_MS), () => this.#onTimer());
  }

  #onTimer(): void {
    this.#timer = undefined;
    if (this.#feeds.some((feed) => feed.observed)) this.#advanceTo(this.#exchangeNowUs() - GRACE_US);
  }

  /** Wanted intervals without a candle, as the recorded ones cannot make them; a sentence each. */
  unfit(): readonly string[] {
    return [...this.#unfit].flatMap(([wanted, recorded]) => {
      if (this.#feeds.some(({ intervalMs, isMade }) => intervalMs === wanted && isMade)) return [];
      const [asked, there] = [intervalText(wanted), intervalText(recorded)];
      const what = `${this.#instrument.symbol}: the strategy takes candles of ${asked}, the data hold candles of ${there} and`;
      return [`${what} cannot make them; use an interval of ${there} or a multiple of it, or data with trades`];
    });
  }

  #exchangeNowUs(): number {
    return this.#clock.nowUs() + this.#offsetUs;
  }
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const;

function intervalText(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms % each === 0) ?? [1, 'ms'];
  return `${ms / size}${unit}`;
}
