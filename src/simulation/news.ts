/**
 * Pending notifications, published in the exchange's order: closing orders, fills, funding, orders, positions,
 * balances.
 */
import type { FundingPayment, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { reportOf, type OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export class News {
  /** The exchange's own, published before their fills. */
  readonly closes: OrderReport[] = [];
  readonly fills: VenueFill[] = [];
  readonly payments: FundingPayment[] = [];
  readonly orders = new Set<OrderRecord>();
  readonly moved = new Set<SymbolVenue>();
  readonly #purse: Purse;

  constructor(purse: Purse) {
    this.#purse = purse;
  }

  get isEmpty(): boolean {
    return this.orders.size === 0 && !this.#purse.hasChanged;
  }

  /** Appends to the answers; does not repeat their reports. */
  take(events: VenueEvent[]): VenueEvent[] {
    const answers = events.length;
    for (const order of this.closes) events.push({ kind: 'order', order });
    for (const fill of this.fills) events.push({ kind: 'fill', fill });
    for (const payment of this.payments) events.push({ kind: 'funding', payment });
    for (const record of this.orders) {
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
    if (this.orders.size > 0) this.orders.clear();
    this.closes.length = 0;
    this.fills.length = 0;
    this.payments.length = 0;
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
