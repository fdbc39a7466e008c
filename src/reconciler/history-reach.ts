/**
 * Extra reach of list reads. History goes by creation time, so it may miss an old external order that trades now. A
 * lagging exchange clock may misdate missing trades.
 */
const FIRST_MS = 600_000;
const GROWTH = 4;
/** ms. Older orders stay unknown for a human. */
const MOST_MS = 7 * 86_400_000;

export class HistoryReach {
  /** Extra reach, ms. */
  moreMs = 0;
  readonly #mostMs: number;

  constructor(mostMs = MOST_MS) {
    this.#mostMs = mostMs;
  }

  further(): void {
    this.moreMs = Math.min(this.#mostMs, Math.max(FIRST_MS, this.moreMs * GROWTH));
  }

  reset(): void {
    this.moreMs = 0;
  }
}
