/** Messages of the last second, as a ring of send times. Cancels are counted and never denied. */
import { denied, type Denied } from '../../model/deny-reason.ts';

const WINDOW_MS = 1_000;

export class MessageRate {
  readonly #times: Float64Array;
  #next = 0;

  constructor(perSecond: number) {
    this.#times = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  }

  /** Null when one more message fits. */
  denial(now: number, whose: string): Denied | null {
    const oldest = this.#times[this.#next] ?? 0;
    if (now - oldest >= WINDOW_MS) return null;
    return denied('message_rate', `${whose} has sent ${this.#times.length} messages in the last second, the maximum`);
  }

  count(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }
}
