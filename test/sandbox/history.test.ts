import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HistoryLog } from '../../src/sandbox/core/history-log.ts';
import { pageOf, parseCursor, type PageQuery } from '../../src/sandbox/core/history.ts';
import { createInMemorySandbox } from '../../src/sandbox/in-memory.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';
import { ManualClock } from './manual-clock.ts';

interface Item {
  readonly id: number;
  over: boolean;
}

const everything: PageQuery = { from: 0, to: Number.POSITIVE_INFINITY, limit: 7, before: Number.POSITIVE_INFINITY };

function add(log: HistoryLog<Item>, item: Item): readonly Item[] {
  log.push(item);
  return log.forgetOld();
}

it('keeps the newest and whatever goes on, in order, and says what it forgets', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.record({ endsAfter: fc.integer({ min: 0, max: 100 }) }), { maxLength: 400 }),
      (max, steps) => {
        const log = new HistoryLog<Item>(max, (item) => item.over);
        const all: Item[] = [];
        const forgotten = new Set<number>();
        for (const [id, { endsAfter }] of steps.entries()) {
          const item = { id, over: false };
          all.push(item);
          for (const gone of add(log, item)) {
            expect(gone.over).toBe(true);
            forgotten.add(gone.id);
          }
          const ending = all[id - endsAfter];
          if (ending !== undefined) ending.over = true;
          expect(log.items).toEqual(all.filter((each) => !forgotten.has(each.id)));
          expect(log.items.slice(-max)).toEqual(all.slice(-max));
          const goingOn = all.filter((each) => !each.over).length;
          expect(log.items.length).toBeLessThanOrEqual(Math.ceil(max * 1.1) + 1 + goingOn + 100);
        }
      },
    ),
  );
});

it('forgets several at a time', () => {
  const log = new HistoryLog<Item>(100, () => true);
  const sizes = Array.from({ length: 1000 }, (_, id) => add(log, { id, over: true }).length);
  expect(new Set(sizes)).toEqual(new Set([0, 3]));
  expect(log.firstPlace + log.items.length).toBe(1000);
});

it('pages through a log that forgets meanwhile without doubling or missing what is still there', () => {
  const log = new HistoryLog<Item>(40, (item) => item.over);
  for (let id = 0; id < 60; id++) add(log, { id, over: id % 10 !== 3 });
  const seen: number[] = [];
  let before = Number.POSITIVE_INFINITY;
  for (let next = 60; ; next++) {
    const page = pageOf(log, { ...everything, before }, 'id', () => true);
    seen.push(...page.items.map((item) => item.id));
    if (page.nextCursor === null) break;
    before = parseCursor(page.nextCursor)!;
    add(log, { id: next, over: true });
  }
  expect(seen).toEqual([...new Set(seen)].toSorted((left, right) => right - left));
  expect(seen.length).toBeGreaterThan(35);
});

it('forgets old orders of a user everywhere, never an active one', () => {
  const opened = createInMemorySandbox({
    clock: new ManualClock(1_700_000_000_000),
    market: 'none',
    assumed: { historyMax: 20 },
  });
  const { exchange } = opened.sandbox;
  const user = exchange.identity.userByLogin('alice')!;
  const filter = { markets: new Set(['spot'] as const) };
  const place = (count: number): string => {
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '10000' } as const;
    const record = exchange.placeSpot(user.trader, { ...order, quantity: '0.001', clientOrderId: `c${count}` }, count);
    if (isRefusal(record)) throw new Error(record.message);
    return record.orderId;
  };
  const first = place(0);
  const ids = Array.from({ length: 100 }, (_, count) => {
    const id = place(count + 1);
    exchange.orders.cancel(user.trader, id, filter, count + 1);
    return id;
  });
  expect(exchange.orders.find(user.trader, first, filter)).toMatchObject({ status: 'new' });
  expect(exchange.orders.find(user.trader, ids[0]!, filter)).toMatchObject({ code: 'unknown_order' });
  expect(exchange.orders.find(user.trader, ids[99]!, filter)).toMatchObject({ status: 'canceled' });
  expect(exchange.orders.cancel(user.trader, first, filter, 200)).toMatchObject({ status: 'canceled' });
  const page = exchange.orders.ended(user.trader, filter, { ...everything, limit: 1000 });
  expect(page.items.map((record) => record.orderId)).toContain(first);
  expect(page.items.length).toBeLessThanOrEqual(24);
  expect(user.trader.history!.clientOrderIds.size).toBe(user.trader.history!.orders.length);
  opened.stop();
});
