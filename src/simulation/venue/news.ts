/**
 * Pending notifications, published in the exchange's order: closing orders, fills and funding as they happened, orders,
 * positions, balances.
 */
import type { FundingPayment, VenuePosition } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import { shorten } from '../../model/shorten.ts';
import type { VenueEvent } from '../../model/venue.ts';
import { reportOf, type OrderRecord } from './order-record.ts';
import type { Purse } from '../money/purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export class News {
  /** The exchange's own, published before their fills. */
  readonly closes: OrderReport[] = [];
  readonly #booked: VenueEvent[] = [];
  readonly #orders: OrderRecord[] = [];
  readonly moved = new Set<SymbolVenue>();
  readonly #purse: Purse;

  constructor(purse: Purse) {
    this.#purse = purse;
  }

  get isEmpty(): boolean {
    return !this.hasOrders && !this.#purse.hasChanged;
  }

  get hasOrders(): boolean {
    return this.#orders.length > 0;
  }

  filled(fill: VenueFill): void {
    this.#booked.push({ kind: 'fill', fill });
  }

  paid(payment: FundingPayment): void {
    this.#booked.push({ kind: 'funding', payment });
  }

  changed(record: OrderRecord): void {
    if (!this.#orders.includes(record)) this.#orders.push(record);
  }

  /** Appends to the answers; does not repeat their reports. */
  take(events: VenueEvent[]): VenueEvent[] {
    const answers = events.length;
    for (const order of this.closes) events.push({ kind: 'order', order });
    for (const event of this.#booked) events.push(event);
    for (const record of this.#orders) {
      const order = reportOf(record);
      if (!hasTold(events, answers, order)) events.push({ kind: 'order', order });
    }
    if (this.moved.size > 0) {
      const positions: VenuePosition[] = [];
      for (const { handler } of this.moved) positions.push(...handler.positions());
      events.push({ kind: 'positions', positions, whole: false });
      this.moved.clear();
    }
    const balances = this.#purse.takeChanged();
    if (balances.length > 0) events.push({ kind: 'balances', balances, whole: false });
    shorten(this.#orders);
    shorten(this.closes);
    shorten(this.#booked);
    return events;
  }
}

function hasTold(events: readonly VenueEvent[], answers: number, report: OrderReport): boolean {
  for (let at = 0; at < answers; at++) {
    const event = events[at]!;
    if (event.kind === 'outcome' && event.outcome.kind === 'accepted' && event.outcome.order === report) return true;
  }
  return false;
}
