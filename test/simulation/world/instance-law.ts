/**
 * No new risk beside another instance (reliability X01, INV-R3): once a process has been told twice that an order rests which
 * bears our mark and is in no journal of ours, it sends nothing new while that order rests. Judged from the answers alone:
 * the gate of the process itself would hide a mistake in that gate.
 */

/** From the first sight: what was asked for then has been compared, and what waited has left. */
const KNOWN_US = 90_000_000;

export class InstanceLaw {
  readonly #isStranger: (orderId: string) => boolean;
  readonly #violated: (what: string) => void;
  /** Of each such order, the true time of its first sight by this process, µs. */
  readonly #seen = new Map<string, number>();

  constructor(isStranger: (orderId: string) => boolean, violated: (what: string) => void) {
    this.#isStranger = isStranger;
    this.#violated = violated;
  }

  boot(): void {
    this.#seen.clear();
  }

  /** What a list of active orders shows. */
  told(us: number, orderIds: Iterable<string>): void {
    for (const orderId of orderIds)
      if (!this.#seen.has(orderId) && this.#isStranger(orderId)) this.#seen.set(orderId, us);
  }

  /** An order that takes new risk leaves. */
  create(us: number): void {
    for (const [orderId, sinceUs] of this.#seen) {
      if (!this.#isStranger(orderId) || us < sinceUs + KNOWN_US) continue;
      this.#violated(`new risk leaves while ${orderId} of another instance rests, known for ${(us - sinceUs) / 1e6} s`);
      this.#seen.delete(orderId);
    }
  }
}
