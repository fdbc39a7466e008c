/**
 * External orders seen, with side and own intents decided before; an order seen before an intent is not its. Uses the intent
 * count, not a clock, within one process.
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

  /** Count of decided intents. */
  constructor(bootId: string, intentCount: () => number) {
    this.#bootId = bootId;
    this.#intentCount = intentCount;
  }

  /** `side`: where the order itself is shown. */
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

  /** Seen before this intent was decided. */
  wasThere(orderId: string, intentId: string): boolean {
    const seen = this.#seen.get(orderId);
    return seen !== undefined && (countOfIntent(intentId, this.#bootId) ?? 0) > seen.after;
  }

  sideOf(orderId: string): Side | undefined {
    return this.#seen.get(orderId)?.side;
  }
}
