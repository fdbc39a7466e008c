/**
 * The time without data after which a subscription is stale: three times the 99.9th percentile of its intervals.
 * A histogram with log-spaced buckets that fades old intervals. Pure.
 */

/** Four buckets an octave: a threshold is exact to 19 %. */
const BUCKETS_PER_OCTAVE = 4;
const BUCKETS = 96;
const QUANTILE = 0.999;
const FACTOR = 3;
/** Below this many intervals the longest one stands for the percentile. */
const SAMPLES_MIN = 1000;
const SAMPLES_MAX = 20_000;
/** Bounds of the threshold, ms. */
const STALE_MS_MIN = 1000;
const STALE_MS_MAX = 600_000;

export class ArrivalRate {
  intervals = 0;
  readonly #startMs: number;
  readonly #counts = new Uint32Array(BUCKETS);
  #weight = 0;
  #longestMs = 0;
  #staleAfterMs: number;

  /** `startMs` holds before the first interval, and is the least until `SAMPLES_MIN` intervals. */
  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#staleAfterMs = startMs;
  }

  get staleAfterMs(): number {
    return this.#staleAfterMs;
  }

  record(intervalMs: number): void {
    this.intervals++;
    const bucket = intervalMs <= 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log2(intervalMs) * BUCKETS_PER_OCTAVE));
    this.#counts[bucket]!++;
    this.#weight++;
    if (intervalMs > this.#longestMs) this.#longestMs = intervalMs;
    if (this.#weight > SAMPLES_MAX) this.#fade();
    if (this.intervals < SAMPLES_MIN) {
      this.#staleAfterMs = Math.min(STALE_MS_MAX, Math.max(this.#startMs, this.#longestMs * FACTOR));
    } else if (this.intervals % 256 === 0 || this.intervals === SAMPLES_MIN) {
      this.#staleAfterMs = Math.min(STALE_MS_MAX, Math.max(STALE_MS_MIN, this.#percentileMs() * FACTOR));
    }
  }

  /** Upper edge of the bucket that holds the percentile. */
  #percentileMs(): number {
    let above = 0;
    const allowed = this.#weight * (1 - QUANTILE);
    for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
      above += this.#counts[bucket]!;
      if (above > allowed) return 2 ** (bucket / BUCKETS_PER_OCTAVE);
    }
    return 1;
  }

  #fade(): void {
    this.#weight = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#counts[bucket]! >>>= 1;
      this.#weight += this.#counts[bucket]!;
    }
  }
}
