/**
 * External orders by the count of own intents at first sight. An order seen before an intent was decided is not its
 * order.
 */
import type { Side } from '../model/order.ts';
import { countOfIntent } from '../spine/intent-id.ts';

/** Forgotten orders prove nothing. */
const KEPT_MAX = 5_000;

export class SeenOrders {
  readonly #bootId: string;
  readonly #intentCount: () => number;
  /** Order → own intents decided when first seen; side. */
  readonly #seen = new Map<string, { readonly after: number; side: Side | undefined }>();

  constructor(bootId: string, intentCount: () => number) {
    this.#bootId = bootId;
    this.#intentCount = intentCount;
  }

  /** `side`: of the order itself, not of a trade. */
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

  wasThere(orderId: string, intentId: string): boolean {
    const seen = this.#seen.get(orderId);
    return seen !== undefined && (countOfIntent(intentId, this.#bootId) ?? 0) > seen.after;
  }

  sideOf(orderId: string): Side | undefined {
    return this.#seen.get(orderId)?.side;
  }
}
