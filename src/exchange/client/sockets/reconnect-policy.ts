/**
 * Full-jitter exponential back-off 0.5 → 30 s, reset after 60 s stable; at most 20 connections in 5 minutes, by an
 * unadjusted clock.
 */
import { asWritten, type Knobs } from '../../../model/knobs.ts';
import type { Clock, Random } from '../../../model/ports.ts';

const DELAY_MS_FIRST = 500;
const DELAY_MS_MAX = 30_000;
const WINDOW_MS = 5 * 60_000;
const CONNECTS_MAX = 20;
export const STABLE_AFTER_MS = 60_000;

export class ReconnectPolicy {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  readonly #firstMs: number;
  readonly #connectedAt: number[] = [];
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
    this.#connectedAt.push(this.#clock.now());
    if (this.#connectedAt.length > CONNECTS_MAX) this.#connectedAt.shift();
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
    const oldest = this.#connectedAt[0];
    if (oldest === undefined || this.#connectedAt.length < CONNECTS_MAX) return 0;
    return Math.max(0, oldest + WINDOW_MS - this.#clock.now());
  }
}
