/**
 * Which orders of others were there before one of ours was sent: whatever their terms, none of them is ours. Goes by the order of
 * things here and by no clock: a comparison that knew nothing of ours had shown theirs, or a trade of it. What an earlier process
 * sent is compared with nothing. Used by the reconciler.
 */
import type { LocalOrder } from './local-order.ts';

/** Orders of others that are remembered; of the oldest nothing is known any more, which proves nothing. */
const KEPT_MAX = 5_000;

export class SeenOrders {
  /** Comparisons that are over. */
  #runs = 0;
  /** Order of others → the comparison that first showed it, also when later ones could not be read or did not ask for it. */
  readonly #shownIn = new Map<string, number>();
  /** Intent of unknown fate → how many comparisons were over when it was sent, at least. */
  #sentAfter = new Map<string, number>();

  /** Before a comparison; `unproved`: those of ours that may be anywhere. */
  begin(unproved: readonly LocalOrder[]): void {
    const before = this.#sentAfter;
    this.#sentAfter = new Map(unproved.map(({ intentId }) => [intentId, before.get(intentId) ?? this.#runs]));
  }

  /** After it; `shown`: orders and trades of orders, in any of its lists, whole or not. `local`: what is known to be ours. */
  end(shown: readonly { readonly orderId: string }[], local: readonly LocalOrder[]): void {
    this.#runs++;
    const ours = new Set(local.map(({ orderId }) => orderId));
    for (const { orderId } of shown)
      if (!ours.has(orderId) && !this.#shownIn.has(orderId)) this.#shownIn.set(orderId, this.#runs);
    for (const oldest of this.#shownIn.keys()) {
      if (this.#shownIn.size <= KEPT_MAX) break;
      this.#shownIn.delete(oldest);
    }
  }

  /** Whether that order was there before this intent was sent. */
  wasThere(orderId: string, intentId: string): boolean {
    const shownIn = this.#shownIn.get(orderId);
    return shownIn !== undefined && shownIn <= (this.#sentAfter.get(intentId) ?? 0);
  }
}
