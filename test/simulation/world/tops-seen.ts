/**
 * The best prices that the exchange truly had in the last moments, if only between two operations of one instant: what a
 * decision rests on must be one of them (INV-D1). A book that skipped a frame without noticing shows prices that never were.
 */

export interface Top {
  readonly bidTicks: number;
  readonly askTicks: number;
}

interface Seen extends Top {
  readonly fromMs: number;
}

/**
 * A mute channel is noticed after three of the longest intervals of the market itself, which a halt makes long; a frame is
 * slow by up to 4 s, and 5 s go to the rest.
 */
const SLOW_MS = 4500;
const LONGEST = 3;
const REST_MS = 5000;
const AGE_MS_MIN = 20_000;

export class TopsSeen {
  #seen: Seen[] = [];
  #longestMs: number;

  /** `paceMs`: how often the market moves. */
  constructor(paceMs: number) {
    this.#longestMs = paceMs;
  }

  see(top: Top, nowMs: number): void {
    const last = this.#seen.at(-1);
    if (last?.bidTicks === top.bidTicks && last.askTicks === top.askTicks) return;
    if (last !== undefined) this.#longestMs = Math.max(this.#longestMs, nowMs - last.fromMs);
    this.#seen.push({ ...top, fromMs: nowMs });
    if (this.#seen.length < 4096) return;
    this.#seen = this.#seen.filter((_, index) => (this.#seen[index + 1]?.fromMs ?? nowMs) >= nowMs - this.#ageMsMax);
  }

  get #ageMsMax(): number {
    return Math.max(AGE_MS_MIN, LONGEST * (this.#longestMs + SLOW_MS) + REST_MS);
  }

  /** Why these cannot be the prices of a fresh book; null when they can. */
  doubt(top: Top | undefined, nowMs: number): string | null {
    if (top === undefined) return 'is not there';
    if (top.bidTicks > 0 && top.askTicks > 0 && top.bidTicks >= top.askTicks) return 'is crossed';
    for (let index = this.#seen.length - 1; index >= 0; index--) {
      const seen = this.#seen[index];
      if (seen === undefined) break;
      if (seen.bidTicks === top.bidTicks && seen.askTicks === top.askTicks) return null;
      if (seen.fromMs < nowMs - this.#ageMsMax) break;
    }
    return `shows ${top.bidTicks}/${top.askTicks}, which the exchange has not had for ${this.#ageMsMax} ms`;
  }
}
