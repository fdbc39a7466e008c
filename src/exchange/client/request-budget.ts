/**
 * Two token buckets (all requests; orders) with one second of burst. 429 halves the rate, which recovers 1 % per
 * second. A tenth is reserved for cancels (docs/reliability.md, R02, R03). A page takes only from a full bucket, so all
 * pages together cost a burst of orders one token.
 */
import type { Clock, Lane } from '../../model/ports.ts';

export interface BudgetOptions {
  readonly requestsPerSecond: number;
  readonly ordersPerSecond: number;
}

const RESERVED_FRACTION = 0.1;
/** As a fraction of the configured rate. */
const RATE_FRACTION_MIN = 0.05;
const REGAIN_FRACTION_PER_SECOND = 0.01;
/** A longer pause is a misread date and would stop everything. */
const PAUSE_MS_MAX = 7 * 24 * 3_600_000;
/** For a 429 without a time. */
const PAUSE_MS_DEFAULT = 1000;
/** The kill lane still tries: open risk is worse than a longer ban. */
const KILL_DURING_PAUSE_EVERY_MS = 1000;
/** One request of the other lanes tries as well: a stop that has fired must not wait for a day that was misstated. */
const PROBE_DURING_PAUSE_EVERY_MS = 60_000;

const ORDER_LANES: ReadonlySet<Lane> = new Set<Lane>(['kill', 'cancel', 'reduce', 'create']);
const RESERVE_LANES: ReadonlySet<Lane> = new Set<Lane>(['kill', 'cancel']);

/** What a bucket keeps beside the token that is taken. */
type Kept = 'nothing' | 'reserve' | 'all';

function keptFrom(lane: Lane): Kept {
  if (lane === 'page') return 'all';
  return RESERVE_LANES.has(lane) ? 'nothing' : 'reserve';
}

class Bucket {
  readonly #perSecondMax: number;
  readonly #capacity: number;
  readonly #reserve: number;
  #perSecond: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perSecondMax = perSecond;
    this.#perSecond = perSecond;
    this.#capacity = Math.max(1 / (1 - RESERVED_FRACTION), perSecond);
    this.#reserve = this.#capacity * RESERVED_FRACTION;
    this.#tokens = this.#capacity;
    this.#at = now;
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  waitMs(now: number, kept: Kept): number {
    this.#refill(now);
    const missing = this.#floor(kept) - this.#tokens;
    return missing <= 1e-9 ? 0 : Math.ceil((missing / this.#perSecond) * 1000);
  }

  take(): void {
    this.#tokens -= 1;
  }

  giveBack(): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + 1);
  }

  halve(now: number): void {
    this.#refill(now);
    this.#perSecond = Math.max(this.#perSecondMax * RATE_FRACTION_MIN, this.#perSecond / 2);
    this.#tokens = Math.min(this.#tokens, this.#reserve);
  }

  #floor(kept: Kept): number {
    if (kept === 'all') return this.#capacity;
    return kept === 'nothing' ? 1 : 1 + this.#reserve;
  }

  #refill(now: number): void {
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#at = now;
    this.#tokens = Math.min(this.#capacity, this.#tokens + elapsed * this.#perSecond);
    const regained = this.#perSecond + elapsed * this.#perSecondMax * REGAIN_FRACTION_PER_SECOND;
    this.#perSecond = Math.min(this.#perSecondMax, regained);
  }
}

export interface BudgetState {
  readonly requestsPerSecond: number;
  readonly ordersPerSecond: number;
  /** Budget clock, ms; 0 when not paused. */
  readonly pausedUntil: number;
}

export class RequestBudget {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #requests: Bucket;
  readonly #orders: Bucket;
  #pausedUntil = 0;
  #killTriedAt = 0;
  #probedAt = 0;

  /** `clock`: unadjusted, or pauses would end wrongly. */
  constructor(clock: Pick<Clock, 'now'>, options: BudgetOptions) {
    this.#clock = clock;
    this.#requests = new Bucket(options.requestsPerSecond, clock.now());
    this.#orders = new Bucket(options.ordersPerSecond, clock.now());
  }

  get state(): BudgetState {
    return {
      requestsPerSecond: this.#requests.perSecond,
      ordersPerSecond: this.#orders.perSecond,
      pausedUntil: this.#pausedUntil > this.#clock.now() ? this.#pausedUntil : 0,
    };
  }

  /** Takes tokens and returns 0, or returns the ms to wait. */
  take(lane: Lane): number {
    const now = this.#clock.now();
    const wait = Math.max(this.#pauseMs(now, lane), this.#bucketsMs(now, lane));
    if (wait > 0) return wait;
    this.#requests.take();
    if (ORDER_LANES.has(lane)) this.#orders.take();
    if (lane === 'kill') this.#killTriedAt = now;
    else this.#probedAt = now;
    return 0;
  }

  giveBack(lane: Lane): void {
    this.#requests.giveBack();
    if (ORDER_LANES.has(lane)) this.#orders.giveBack();
  }

  penalise(retryAfterMs: number | null): void {
    const now = this.#clock.now();
    this.#requests.halve(now);
    this.#orders.halve(now);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (retryAfterMs ?? PAUSE_MS_DEFAULT));
    this.#probedAt = now;
  }

  /** A request that left during this pause was carried out: it is over. A later one is another. */
  relent(pausedUntil: number): void {
    if (pausedUntil === this.#pausedUntil) this.#pausedUntil = 0;
  }

  #bucketsMs(now: number, lane: Lane): number {
    const kept = keptFrom(lane);
    const requests = this.#requests.waitMs(now, kept);
    return ORDER_LANES.has(lane) ? Math.max(requests, this.#orders.waitMs(now, kept)) : requests;
  }

  #pauseMs(now: number, lane: Lane): number {
    if (now >= this.#pausedUntil) return 0;
    const dueAt =
      lane === 'kill' ? this.#killTriedAt + KILL_DURING_PAUSE_EVERY_MS : this.#probedAt + PROBE_DURING_PAUSE_EVERY_MS;
    return Math.min(this.#pausedUntil - now, Math.max(0, dueAt - now));
  }
}

/** Seconds or an HTTP date; null when unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const seconds = header.trim() === '' ? Number.NaN : Number(header);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return pauseMs <= PAUSE_MS_MAX ? Math.max(0, pauseMs) : null;
}
