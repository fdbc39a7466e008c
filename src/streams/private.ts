/**
 * The private stream of the whole account as shared Observables, for status, metrics and alerts. Connection, balances
 * and positions emit current values on subscribe; orders and fills do not replay.
 */
import { Subject, type Observable } from 'rxjs';
import type { Balance, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { stateFeed } from './feed.ts';
import { ValueFeed } from './value-feed.ts';

export interface PrivateStreamState {
  readonly state: 'ready' | 'lost';
  readonly generation: number;
  readonly reason: string;
}

export interface PrivateStream {
  /** Ignores outcomes of commands. */
  onEvent(event: VenueEvent): void;
  readonly state: Observable<PrivateStreamState>;
  readonly orders: Observable<OrderReport>;
  readonly fills: Observable<VenueFill>;
  /** One row per account and currency. */
  readonly balances: Observable<Balance>;
  /** One row per symbol and side. */
  readonly positions: Observable<VenuePosition>;
  complete(): void;
}

/** Rows by key; a full list replaces all. */
class Rows<T> {
  readonly #key: (row: T) => string;
  readonly #subject = new Subject<T>();
  readonly #rows = new Map<string, T>();
  readonly values: Observable<T> = stateFeed(this.#subject, () => [...this.#rows.values()]);

  constructor(key: (row: T) => string) {
    this.#key = key;
  }

  take(rows: readonly T[], whole: boolean): void {
    if (whole) this.#rows.clear();
    for (const row of rows) this.#rows.set(this.#key(row), row);
    for (const row of rows) this.#subject.next(row);
  }

  complete(): void {
    this.#subject.complete();
  }
}

export function createPrivateStream(): PrivateStream {
  const state = new ValueFeed<PrivateStreamState>();
  const orders = new Subject<OrderReport>();
  const fills = new Subject<VenueFill>();
  const balances = new Rows<Balance>(({ account, currency }) => `${account}/${currency}`);
  const positions = new Rows<VenuePosition>(({ symbol, positionSide }) => `${symbol}/${positionSide}`);
  return Object.freeze({
    state: state.values,
    orders: orders.asObservable(),
    fills: fills.asObservable(),
    balances: balances.values,
    positions: positions.values,
    onEvent(event: VenueEvent): void {
      switch (event.kind) {
        case 'order':
          orders.next(event.order);
          break;
        case 'fill':
          fills.next(event.fill);
          break;
        case 'balances':
          balances.take(event.balances, event.whole);
          break;
        case 'positions':
          positions.take(event.positions, event.whole);
          break;
        case 'stream':
          state.next(Object.freeze({ state: event.state, generation: event.generation, reason: event.reason }));
          break;
        case 'outcome':
          break;
      }
    },
    complete(): void {
      for (const each of [state, orders, fills, balances, positions]) each.complete();
    },
  });
}
