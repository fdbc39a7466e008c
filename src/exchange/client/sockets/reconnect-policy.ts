/**
 * Full-jitter exponential back-off 0.5 → 30 s, reset after 60 s stable; at most 20 connections in 5 minutes, by an
 * unadjusted clock. They are a bucket of 8 that gets one back each 24 s, so that an outage never uses up all of them: no wait is
 * longer than the longest back-off.
 */
import { asWritten, type Knobs } from '../../../model/knobs.ts';
import type { Clock, Random } from '../../../model/ports.ts';

const DELAY_MS_FIRST = 500;
const DELAY_MS_MAX = 30_000;
/** 21 connections take at least (21 − 8) × 24 s = 312 s. */
const AT_ONCE = 8;
const ONE_MORE_MS = 24_000;
export const STABLE_AFTER_MS = 60_000;

export class ReconnectPolicy {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  readonly #firstMs: number;
  /** When all of them may be made at once again. */
  #fullAt = Number.NEGATIVE_INFINITY;
  #attempt = 0;

  constructor(clock: Pick<Clock, 'now'>, random: Random, knobs: Knobs = asWritten) {
    this.#clock = clock;
    this.#random = random;
    this.#firstMs = knobs('socket-again', DELAY_MS_FIRST);
  }

  get attempt(): number {
    return this.#attempt;
  }

  began(): void {
    this.#fullAt = Math.max(this.#fullAt, this.#clock.now()) + ONE_MORE_MS;
  }

  stable(): void {
    this.#attempt = 0;
  }

  /** Call once per lost connection; whole ms. */
  nextDelayMs(): number {
    const ceiling = Math.min(DELAY_MS_MAX, this.#firstMs * 2 ** Math.min(this.#attempt, 10));
    this.#attempt += 1;
    return Math.ceil(Math.max(this.#random.next() * ceiling, this.#budgetMs()));
  }

  #budgetMs(): number {
    return Math.max(0, this.#fullAt - (AT_ONCE - 1) * ONE_MORE_MS - this.#clock.now());
  }
}
