/**
 * External orders that a list or the private stream has shown: their sides, and which were there before an own order was decided.
 * Whatever their terms, those are not ours. Goes by the count of own intents and by no clock. What an earlier process decided is
 * compared with nothing. Used by the reconciler.
 */
import type { Side } from '../../model/order.ts';
import { countOfIntent } from '../order-spec.ts';

/** Orders that are remembered; of the oldest nothing is known any more, which proves nothing. */
const KEPT_MAX = 5_000;

export class SeenOrders {
  readonly #bootId: string;
  readonly #intentCount: () => number;
  /** Order that was not known to be ours → intents that had been decided when it was first shown; its side. */
  readonly #seen = new Map<string, { readonly after: number; side: Side | undefined }>();

  /** `intentCount`: how many intents have been decided. */
  constructor(bootId: string, intentCount: () => number) {
    this.#bootId = bootId;
    this.#intentCount = intentCount;
  }

  /** It, or a trade of it, is shown now and not known to be ours. `side`: where the order itself is shown. */
  saw(orderId: string, side?: Side): void {
    const seen = this.#seen.get(orderId);
    if (seen !== undefined) {
      seen.side ??= side;
      return;
    }
    this.#seen.set(orderId, { after: this.#intentCount(), side });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > KEPT_MAX && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Whether that order was there before this intent was decided. */
  wasThere(orderId: string, intentId: string): boolean {
    const seen = this.#seen.get(orderId);
    return seen !== undefined && (countOfIntent(intentId, this.#bootId) ?? 0) > seen.after;
  }

  sideOf(orderId: string): Side | undefined {
    return this.#seen.get(orderId)?.side;
  }
}
