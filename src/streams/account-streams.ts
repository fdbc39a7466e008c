/**
 * A strategy's own account as shared Observables. Positions and balances emit current values
 * on subscribe; orders and fills do not replay.
 */
import { Observable, Subject, filter, map, mergeMap, takeWhile } from 'rxjs';
import type { AccountEvent, Balance, StrategyAccount, StrategyPosition } from '../model/trading/account.ts';
import { fillCursor, type Fill, type FillSince } from '../model/trading/fill.ts';
import { closedOrderStates, type OrderUpdate } from '../model/trading/order.ts';
import type { Cancel } from '../model/ports.ts';
import type { ProgramUpdate } from '../model/trading/program.ts';
import { currentThen } from './feeds/current-then.ts';

export interface AccountStreams {
  orders(): Observable<OrderUpdate>;
  fills(): Observable<Fill>;
  /** Fills after the one of the cursor, then the new ones; each once. */
  fillsSince(cursor: string | undefined): Observable<FillSince>;
  positions(): Observable<StrategyPosition>;
  balances(): Observable<Balance>;
  /** The order's current state, if any, then its changes; completes when it is closed. */
  order(ref: string): Observable<OrderUpdate>;
  /** Working programs on subscribe, then every change. */
  programs(): Observable<ProgramUpdate>;
  /** The program's current state, if any, then its changes; completes when it has ended. */
  program(ref: string): Observable<ProgramUpdate>;
}

const ORDERS_KEPT = 10_000;

/** Whether more than the time changed; every denial counts, and digits of an average do not. */
function isNews(before: OrderUpdate | undefined, next: OrderUpdate): boolean {
  return (
    before === undefined ||
    next.state === 'denied' ||
    before.state !== next.state ||
    before.filledQuantity !== next.filledQuantity ||
    (before.averagePrice === null) !== (next.averagePrice === null) ||
    before.orderId !== next.orderId ||
    before.quantity !== next.quantity ||
    before.price !== next.price ||
    before.reason !== next.reason ||
    before.message !== next.message
  );
}

/** Fills that are journalled and not yet handed out. */
const ON_ITS_WAY_MAX = 10_000;

function withCursor(fill: Fill): FillSince {
  return Object.freeze({ ...fill, cursor: fillCursor(fill) });
}

/** One Subject. An event caused by a subscriber waits, so that all see the same order. */
function sharedEvents(account: StrategyAccount): Observable<AccountEvent> {
  const subject = new Subject<AccountEvent>();
  const waiting: AccountEvent[] = [];
  const last = new Map<string, OrderUpdate>();
  let handingOut = false;
  let cancel: Cancel | undefined;
  const repeats = ({ order }: Extract<AccountEvent, { kind: 'order' }>): boolean => {
    const news = isNews(last.get(order.ref), order);
    if (news) last.set(order.ref, order);
    if (last.size > ORDERS_KEPT) last.delete(last.keys().next().value ?? order.ref);
    return !news;
  };
  const hand = (event: AccountEvent): void => {
    if (event.kind === 'order' && repeats(event)) return;
    waiting.push(event);
    if (handingOut) return;
    handingOut = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) subject.next(next);
    } finally {
      handingOut = false;
    }
  };
  return new Observable((subscriber) => {
    const subscription = subject.subscribe(subscriber);
    cancel ??= account.listen(hand);
    return () => {
      subscription.unsubscribe();
      if (subject.observed) return;
      cancel?.();
      cancel = undefined;
    };
  });
}

export function accountStreams(account: StrategyAccount): AccountStreams {
  const events = sharedEvents(account);
  const orders = events.pipe(mergeMap((event) => (event.kind === 'order' ? [event.order] : [])));
  const fills = events.pipe(mergeMap((event) => (event.kind === 'fill' ? [event.fill] : [])));
  const positionChanges = events.pipe(mergeMap((event) => (event.kind === 'position' ? [event.position] : [])));
  const balanceChanges = events.pipe(mergeMap((event) => (event.kind === 'balance' ? [event.balance] : [])));
  const positions = currentThen(() => account.positions(), positionChanges);
  const balances = currentThen(() => account.balances(), balanceChanges);
  const programChanges = events.pipe(mergeMap((event) => (event.kind === 'program' ? [event.program] : [])));
  const working = (): readonly ProgramUpdate[] => account.programs().filter(({ state }) => state === 'working');
  const programs = currentThen(working, programChanges);
  return Object.freeze({
    programs: () => programs,
    program(ref: string): Observable<ProgramUpdate> {
      const current = (): readonly ProgramUpdate[] => {
        const now = account.programByRef(ref);
        return now === undefined ? [] : [now];
      };
      const changes = programChanges.pipe(filter((program) => program.ref === ref));
      return currentThen(current, changes).pipe(takeWhile(({ state }) => state === 'working', true));
    },
    orders: () => orders,
    fills: () => fills,
    fillsSince: (cursor: string | undefined) =>
      new Observable<FillSince>((subscriber) => {
        // A listed fill may still be in flight.
        const listed = new Set<string>();
        const current = (): readonly FillSince[] => {
          const past = account.fillsSince(cursor).map(withCursor);
          for (const fill of past.slice(-ON_ITS_WAY_MAX)) listed.add(fill.cursor);
          return past;
        };
        const news = fills.pipe(
          map(withCursor),
          filter((fill) => !listed.delete(fill.cursor)),
        );
        return currentThen(current, news).subscribe(subscriber);
      }),
    positions: () => positions,
    balances: () => balances,
    order(ref: string): Observable<OrderUpdate> {
      const current = (): readonly OrderUpdate[] => {
        const now = account.orderByRef(ref);
        return now === undefined ? [] : [now];
      };
      const changes = orders.pipe(filter((order) => order.ref === ref));
      return currentThen(current, changes).pipe(takeWhile((order) => !closedOrderStates.has(order.state), true));
    },
  });
}
