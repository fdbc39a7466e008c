/** Messages of a window, as a ring of send times. Cancels are counted and never denied. */
import { denied, type Denied } from '../../model/deny-reason.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;

export class MessageRate {
  readonly #times: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  constructor(max: number, windowMs: number = SECOND_MS) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = windowMs;
  }

  /** Null when one more message fits. */
  denial(now: number, whose: string): Denied | null {
    const oldest = this.#times[this.#next] ?? 0;
    if (now - oldest >= this.#windowMs) return null;
    const window = this.#windowMs === SECOND_MS ? 'second' : 'minute';
    const message = `${whose} has sent ${this.#times.length} messages in the last ${window}, the maximum`;
    return denied('message_rate', message);
  }

  count(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }
}
