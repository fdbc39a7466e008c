/**
 * How far back history is read beyond what the orders themselves need. The exchange tells history by the time of creation, so
 * an old order of somebody else that trades today is in the trades and not in the history read: until it is seen, its
 * trade could be that of an order of unknown fate, whose absence is then never proved. Each reading with such a trade reaches
 * further; nothing unproved, nothing extra. Trades are read further back in the same way, while one is known to be missing: the
 * clock of the exchange may have been behind when it stamped them (T06). Used by the reconciler.
 */
const FIRST_MS = 600_000;
const GROWTH = 4;
/** What is older than this is a human's to explain; the order stays unknown, with its risk. */
const MOST_MS = 7 * 86_400_000;

export class HistoryReach {
  /** Added to what is read back, ms. */
  moreMs = 0;
  readonly #mostMs: number;

  constructor(mostMs = MOST_MS) {
    this.#mostMs = mostMs;
  }

  /** After a reading that held a trade of an order in none of the lists, or lacked one that must be there. */
  further(): void {
    this.moreMs = Math.min(this.#mostMs, Math.max(FIRST_MS, this.moreMs * GROWTH));
  }

  /** Nothing is to be proved any more. */
  reset(): void {
    this.moreMs = 0;
  }
}
