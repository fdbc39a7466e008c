/**
 * A strategy's own account as streams. Orders and fills are told once and never replayed; states (positions, balances)
 * begin with what they are now. `order(ref)` begins with the order as it is and completes when it is closed.
 */
import { Observable } from 'rxjs';
import type { AccountEvent, Balance, StrategyAccount, StrategyPosition } from '../model/account.ts';
import type { Fill } from '../model/fill.ts';
import { closedOrderStates, type OrderUpdate } from '../model/order.ts';

export interface AccountStreams {
  orders(): Observable<OrderUpdate>;
  fills(): Observable<Fill>;
  positions(): Observable<StrategyPosition>;
  balances(): Observable<Balance>;
  order(ref: string): Observable<OrderUpdate>;
}

function changes<T>(
  account: StrategyAccount,
  pick: (event: AccountEvent) => T | undefined,
  now: () => readonly T[],
): Observable<T> {
  return new Observable<T>((subscriber) => {
    for (const state of now()) subscriber.next(state);
    return account.listen((event) => {
      const value = pick(event);
      if (value !== undefined) subscriber.next(value);
    });
  });
}

function oneOrder(account: StrategyAccount, ref: string): Observable<OrderUpdate> {
  return new Observable<OrderUpdate>((subscriber) => {
    const tell = (order: OrderUpdate): void => {
      subscriber.next(order);
      if (closedOrderStates.has(order.state)) subscriber.complete();
    };
    const known = account.orderByRef(ref);
    if (known !== undefined) tell(known);
    if (subscriber.closed) return undefined;
    return account.listen((event) => {
      if (event.kind === 'order' && event.order.ref === ref) tell(event.order);
    });
  });
}

export function accountStreams(account: StrategyAccount): AccountStreams {
  return {
    orders: () =>
      changes(
        account,
        (event) => (event.kind === 'order' ? event.order : undefined),
        () => [],
      ),
    fills: () =>
      changes(
        account,
        (event) => (event.kind === 'fill' ? event.fill : undefined),
        () => [],
      ),
    positions: () =>
      changes(
        account,
        (event) => (event.kind === 'position' ? event.position : undefined),
        () => account.positions(),
      ),
    balances: () =>
      changes(
        account,
        (event) => (event.kind === 'balance' ? event.balance : undefined),
        () => account.balances(),
      ),
    order: (ref) => oneOrder(account, ref),
  };
}
