/** Messages of a window, as a ring of send times (Unix ms). */
import { denied, type Denied, type RiskFigure } from '../../model/deny-reason.ts';
import { figure } from '../figures.ts';

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

  denial(now: number, whose: string): Denied | null {
    const oldest = this.#times[this.#next] ?? 0;
    if (now - oldest >= this.#windowMs) return null;
    const message = `${whose} has sent ${this.#times.length} messages in the last ${this.#window}, the maximum`;
    return denied('message_rate', message);
  }

  /** Counts one more message. */
  figure(now: number, whose: string): RiskFigure {
    return figure(
      'message_rate',
      `${whose}, ${this.#window}`,
      this.#sentSince(now - this.#windowMs) + 1,
      this.#times.length,
    );
  }

  /** Binary search: the ring is sorted by time. */
  #sentSince(since: number): number {
    const { length } = this.#times;
    let least = 0;
    let most = length;
    while (least < most) {
      const newest = Math.ceil((least + most) / 2);
      const oldestOfThem = this.#times[(this.#next - newest + length) % length] ?? 0;
      if (oldestOfThem > since) least = newest;
      else most = newest - 1;
    }
    return least;
  }

  count(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }

  get #window(): string {
    return this.#windowMs === SECOND_MS ? 'second' : 'minute';
  }
}
