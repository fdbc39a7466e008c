/**
 * Wrong tokens are slowed, each more than the one before, and refused when too many wait. A right one passes here never,
 * so a flood of guesses does not keep an operator from `kill`.
 */
import type { Clock } from '../../model/ports.ts';

const STEP_MS = 100;
const LONGEST_MS = 2_000;
const WAITING_MAX = 32;
/** Guesses are forgotten at this pace. */
const FORGET_MS = 5_000;

export class WrongTokens {
  readonly #clock: Clock;
  #count = 0;
  #at = 0;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after the delay: null, or the seconds to wait before another try. */
  async slow(): Promise<number | null> {
    const now = this.#clock.now();
    this.#count = Math.max(0, this.#count - Math.floor((now - this.#at) / FORGET_MS)) + 1;
    this.#at = now;
    const delayMs = Math.min(LONGEST_MS, STEP_MS * this.#count);
    if (this.#waiting >= WAITING_MAX) return Math.ceil(delayMs / 1000);
    this.#waiting++;
    try {
      const over = Promise.withResolvers<void>();
      this.#clock.after(delayMs, over.resolve);
      await over.promise;
      return null;
    } finally {
      this.#waiting--;
    }
  }
}
