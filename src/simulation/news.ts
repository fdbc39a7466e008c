/**
 * What the simulated exchange has to tell since it told last, in the order in which an exchange tells it: orders of its own,
 * fills, funding, orders, positions, balances. Filled by `exchange.ts` and `perpetual-moves.ts`.
 */
import type { FundingPayment, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { reportOf, type OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export class News {
  /** Orders by which the exchange has closed positions: told before their fills. */
  readonly closes: OrderReport[] = [];
  readonly fills: VenueFill[] = [];
  readonly payments: FundingPayment[] = [];
  readonly orders = new Set<OrderRecord>();
  /** Perpetuals whose position has moved. */
  readonly moved = new Set<SymbolVenue>();
  readonly #purse: Purse;

  constructor(purse: Purse) {
    this.#purse = purse;
  }

  get isEmpty(): boolean {
    return this.orders.size === 0 && !this.#purse.hasChanged;
  }

  /** Behind the answers in the list; a report that one of them has told is not told again. */
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
      for (const { desk } of this.moved) positions.push(...desk.positions());
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

/** Whether one of the first `answers` events has told this very report. */
function hasTold(events: readonly VenueEvent[], answers: number, report: OrderReport): boolean {
  for (let at = 0; at < answers; at++) {
    const event = events[at]!;
    if (event.kind === 'outcome' && event.outcome.kind === 'accepted' && event.outcome.order === report) return true;
  }
  return false;
}
