/**
 * Which orders of others were there before one of ours was decided: whatever their terms, none of them is ours. Goes by the order
 * of things here and by no clock: a list or the private stream had told of theirs, or of a trade of it, when the count of our
 * intents had not come to ours yet. What an earlier process decided is compared with nothing. Used by the reconciler.
 */
import { countOfIntent } from '../order-spec.ts';

/** Orders that are remembered; of the oldest nothing is known any more, which proves nothing. */
const KEPT_MAX = 5_000;

export class SeenOrders {
  readonly #bootId: string;
  readonly #intentCount: () => number;
  /** Order that was not known to be ours → intents that had been decided when it was first told of. */
  readonly #seenAfter = new Map<string, number>();

  /** `intentCount`: how many intents have been decided. */
  constructor(bootId: string, intentCount: () => number) {
    this.#bootId = bootId;
    this.#intentCount = intentCount;
  }

  /** It is told of now, or a trade of it, and not known to be ours. */
  saw(orderId: string): void {
    if (this.#seenAfter.has(orderId)) return;
    this.#seenAfter.set(orderId, this.#intentCount());
    const [oldest] = this.#seenAfter.keys();
    if (this.#seenAfter.size > KEPT_MAX && oldest !== undefined) this.#seenAfter.delete(oldest);
  }

  /** Whether that order was there before this intent was decided. */
  wasThere(orderId: string, intentId: string): boolean {
    const seenAfter = this.#seenAfter.get(orderId);
    return seenAfter !== undefined && (countOfIntent(intentId, this.#bootId) ?? 0) > seenAfter;
  }
}
