/**
 * No new risk beside another instance (reliability X01, INV-R3): once a process has been told twice that an order rests which
 * bears our mark and is in no journal of ours, it sends nothing new while that order rests. Judged from the answers alone:
 * the gate of the process itself would hide a mistake in that gate. One that never rests is told by the history: while that
 * goes on to show orders with our mark that were placed since the start and are in no journal of ours, nothing new leaves either.
 */

/** From the first sight: what was asked for then has been compared, and what waited has left. */
const KNOWN_US = 90_000_000;
/**
 * The gate stays shut for a minute after each, by the clock of the process: what the machine slept, up to half of a minute, may be
 * set right within it (seed 38248).
 */
const AGAIN_US = 25_000_000;
/** What another session did just before this start is no matter of two that run. */
const START_US = 10_000_000;
const MARKED = /\{"orderId":"(\d+)"[^}]*"clientOrderId":"tw-/g;
const PAST = /\{"orderId":"(\d+)"[^}]*"createdAt":(\d+)[^}]*"clientOrderId":"tw-/g;

export interface InstanceLawDeps {
  /** It is not of the process. */
  readonly isStranger: (orderId: string) => boolean;
  /** It rests and bears our mark. */
  readonly restsMarked: (orderId: string) => boolean;
  readonly violated: (what: string) => void;
}

export class InstanceLaw {
  readonly #deps: InstanceLawDeps;
  /** Of each such order, the true time of its first sight by this process, µs. */
  readonly #seen = new Map<string, number>();
  /** Of those that ended; each tells once. */
  readonly #seenPast = new Set<string>();
  #bootUs = 0;
  /** True times, µs, at which the history has shown another one, never longer apart than the gate stays shut. */
  #pastFromUs = 0;
  #pastToUs = Number.NEGATIVE_INFINITY;

  constructor(deps: InstanceLawDeps) {
    this.#deps = deps;
  }

  boot(us: number): void {
    this.#seen.clear();
    this.#bootUs = us;
    this.#pastToUs = Number.NEGATIVE_INFINITY;
  }

  /** A list of active orders. What the exchange shows without the id that it forgot tells nothing. */
  told(us: number, answer: string): void {
    for (const [, orderId = ''] of answer.matchAll(MARKED))
      if (!this.#seen.has(orderId) && this.#isOthers(orderId)) this.#seen.set(orderId, us);
  }

  /** An answer with orders that ended. */
  toldPast(us: number, answer: string): void {
    for (const [, orderId = '', createdAt] of answer.matchAll(PAST)) {
      if (this.#seenPast.has(orderId) || !this.#deps.isStranger(orderId)) continue;
      this.#seenPast.add(orderId);
      if (Number(createdAt) * 1000 < this.#bootUs + START_US) continue;
      if (us > this.#pastToUs + AGAIN_US) this.#pastFromUs = us;
      this.#pastToUs = us;
    }
  }

  /** An order that takes new risk leaves. */
  create(us: number): void {
    if (us <= this.#pastToUs + AGAIN_US && us >= this.#pastFromUs + KNOWN_US)
      this.#deps.violated(
        `new risk leaves while another instance trades, as is known for ${(us - this.#pastFromUs) / 1e6} s`,
      );
    for (const [orderId, sinceUs] of this.#seen) {
      if (!this.#isOthers(orderId) || us < sinceUs + KNOWN_US) continue;
      this.#deps.violated(
        `new risk leaves while ${orderId} of another instance rests, known for ${(us - sinceUs) / 1e6} s`,
      );
      this.#seen.delete(orderId);
    }
  }

  #isOthers(orderId: string): boolean {
    return this.#deps.isStranger(orderId) && this.#deps.restsMarked(orderId);
  }
}
