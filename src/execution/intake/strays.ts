/**
 * Events that arrived before the answer to a create, by the venue's order id. Beyond the bound the oldest id is
 * dropped.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { asWritten, type Knobs } from '../../model/knobs.ts';
import type { OrderReport } from '../../model/trading/order.ts';

const ORDERS_MAX = 1_000;
const EVENTS_PER_ORDER_MAX = 1_000;

export type StrayEvent =
  | { readonly kind: 'order'; readonly order: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill };

const NOTHING: readonly StrayEvent[] = Object.freeze([]);

export class Strays {
  readonly #byOrderId = new Map<string, StrayEvent[]>();
  readonly #ordersMax: number;

  constructor(knobs: Knobs = asWritten) {
    this.#ordersMax = knobs('strays', ORDERS_MAX);
  }

  /** False when an event was dropped. */
  keep(orderId: string, event: StrayEvent): boolean {
    const events = this.#byOrderId.get(orderId);
    if (events !== undefined) {
      if (events.length >= EVENTS_PER_ORDER_MAX) return false;
      events.push(event);
      return true;
    }
    this.#byOrderId.set(orderId, [event]);
    if (this.#byOrderId.size <= this.#ordersMax) return true;
    const [oldest = ''] = this.#byOrderId.keys();
    this.#byOrderId.delete(oldest);
    return false;
  }

  /** In order of arrival. Removes them. */
  take(orderId: string): readonly StrayEvent[] {
    if (this.#byOrderId.size === 0) return NOTHING;
    const events = this.#byOrderId.get(orderId) ?? NOTHING;
    this.#byOrderId.delete(orderId);
    return events;
  }
}
