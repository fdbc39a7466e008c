/**
 * Events of orders that nobody knows yet: a fill or an update that overtook the answer to its create. Kept by the
 * venue's order id until the order is bound; bounded, the oldest id goes first, and the caller is told, since only the
 * reconciler can then find what was dropped.
 */
import type { VenueFill } from '../model/fill.ts';
import { asWritten, type Knobs } from '../model/knobs.ts';
import type { OrderReport } from '../model/order.ts';

const ORDERS_MAX = 1_000;
const EVENTS_PER_ORDER_MAX = 1_000;

export type StrayEvent =
  | { readonly kind: 'order'; readonly order: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill };

export class Strays {
  readonly #byOrderId = new Map<string, StrayEvent[]>();
  readonly #ordersMax: number;

  constructor(knobs: Knobs = asWritten) {
    this.#ordersMax = knobs('strays', ORDERS_MAX);
  }

  /** False when something had to be dropped. */
  keep(orderId: string, event: StrayEvent): boolean {
    const events = this.#byOrderId.get(orderId);
    if (events !== undefined) {
      if (events.length >= EVENTS_PER_ORDER_MAX) return false;
      events.push(event);
      return true;
    }
    this.#byOrderId.set(orderId, [event]);
    if (this.#byOrderId.size <= this.#ordersMax) return true;
    for (const oldest of this.#byOrderId.keys()) {
      this.#byOrderId.delete(oldest);
      break;
    }
    return false;
  }

  /** What was kept of an order, in the order in which it came; forgets it. */
  take(orderId: string): readonly StrayEvent[] {
    const events = this.#byOrderId.get(orderId);
    if (events === undefined) return [];
    this.#byOrderId.delete(orderId);
    return events;
  }

  /** Ids that turned out to be somebody else's. */
  drop(orderId: string): void {
    this.#byOrderId.delete(orderId);
  }
}
