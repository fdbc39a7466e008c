/**
 * Extra reach of list reads. History goes by creation time: an old external order trading now may be missing and block a proof of
 * absence. Missing trades may be dated by a lagging exchange clock.
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

  /** An unlisted order traded, or an expected trade is missing. */
  further(): void {
    this.moreMs = Math.min(this.#mostMs, Math.max(FIRST_MS, this.moreMs * GROWTH));
  }

  reset(): void {
    this.moreMs = 0;
  }
}
