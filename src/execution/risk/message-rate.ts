/** Messages of a window, as a ring of send times. Cancels are counted and never denied. */
import { denied, type Denied, type RiskFigure } from '../../model/deny-reason.ts';
import { figure } from './figures.ts';

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
    const message = `${whose} has sent ${this.#times.length} messages in the last ${this.#window}, the maximum`;
    return denied('message_rate', message);
  }

  /** Messages of the window with one more, against the maximum. */
  figure(now: number, whose: string): RiskFigure {
    const sent = this.#times.reduce((count, at) => (now - at < this.#windowMs ? count + 1 : count), 0);
    return figure('message_rate', `${whose}, ${this.#window}`, sent + 1, this.#times.length);
  }

  count(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
  }

  get #window(): string {
    return this.#windowMs === SECOND_MS ? 'second' : 'minute';
  }
}
