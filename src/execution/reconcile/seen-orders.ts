/**
 * Which orders of others were there before one of ours was sent: whatever their terms, none of them is ours. Goes by the order of
 * things here and by no clock: a comparison that knew nothing of ours had shown theirs. What an earlier process sent is
 * compared with nothing. Used by the reconciler.
 */
import type { OrderReport } from '../../model/order.ts';
import type { LocalOrder } from './local-order.ts';

export class SeenOrders {
  /** Comparisons that are over. */
  #runs = 0;
  /** Order → the comparison that first showed it; of those alone that the newest one shows. */
  #shownIn = new Map<string, number>();
  /** Intent of unknown fate → how many comparisons were over when it was sent, at least. */
  #sentAfter = new Map<string, number>();

  /** Before a comparison; `unproved`: those of ours that may be anywhere. */
  begin(unproved: readonly LocalOrder[]): void {
    const before = this.#sentAfter;
    this.#sentAfter = new Map(unproved.map(({ intentId }) => [intentId, before.get(intentId) ?? this.#runs]));
  }

  /** After it; `reports`: all that it showed. */
  end(reports: readonly OrderReport[]): void {
    this.#runs++;
    const before = this.#shownIn;
    this.#shownIn = new Map(reports.map(({ orderId }) => [orderId, before.get(orderId) ?? this.#runs]));
  }

  /** Whether that order was there before this intent was sent. */
  wasThere(orderId: string, intentId: string): boolean {
    const shownIn = this.#shownIn.get(orderId);
    return shownIn !== undefined && shownIn <= (this.#sentAfter.get(intentId) ?? 0);
  }
}
