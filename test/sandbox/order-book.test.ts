import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type BookSide } from '../../src/model/market/market-event.ts';
import { OrderBook, type RestingOrder } from '../../src/sandbox/core/orders/order-book.ts';

interface NaiveOrder {
  readonly id: number;
  readonly side: BookSide;
  readonly ticks: number;
  lots: number;
}

/** The same rules, said as simply as possible: sort everything, take the first. */
class NaiveBook {
  orders: NaiveOrder[] = [];

  submit(id: number, side: BookSide, ticks: number, lots: number): { maker: number; lots: number }[] {
    const fills: { maker: number; lots: number }[] = [];
    let left = lots;
    while (left > 0) {
      const [best] = this.orders
        .filter((order) => order.side !== side && (side === BID ? order.ticks <= ticks : order.ticks >= ticks))
        .toSorted((a, b) => (side === BID ? a.ticks - b.ticks : b.ticks - a.ticks) || a.id - b.id);
      if (best === undefined) break;
      const traded = Math.min(left, best.lots);
      best.lots -= traded;
      left -= traded;
      fills.push({ maker: best.id, lots: traded });
      this.orders = this.orders.filter((order) => order.lots > 0);
    }
    if (left > 0) this.orders.push({ id, side, ticks, lots: left });
    return fills;
  }

  cancel(id: number): boolean {
    const before = this.orders.length;
    this.orders = this.orders.filter((order) => order.id !== id);
    return this.orders.length < before;
  }

  levels(side: BookSide): [number, number][] {
    const lots = new Map<number, number>();
    for (const order of this.orders) {
      if (order.side === side) lots.set(order.ticks, (lots.get(order.ticks) ?? 0) + order.lots);
    }
    return [...lots].toSorted((a, b) => (side === BID ? b[0] - a[0] : a[0] - b[0]));
  }
}

function levelsOf(book: OrderBook<number>, side: BookSide): [number, number][] {
  const levels: [number, number][] = [];
  book.walk(side, (ticks, lots) => {
    levels.push([ticks, lots]);
    return true;
  });
  return levels;
}

const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      side: fc.constantFrom(BID, ASK),
      ticks: fc.integer({ min: 90, max: 110 }),
      lots: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(200) }) },
);

describe('order book', () => {
  it('matches, rests and cancels as a naive model does', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const book = new OrderBook<number>();
        const naive = new NaiveBook();
        const resting: RestingOrder<number>[] = [];
        let id = 0;
        for (const step of operations) {
          if (step.kind === 'cancel') {
            const order = resting[step.pick % Math.max(1, resting.length)];
            if (order !== undefined) expect(book.remove(order)).toBe(naive.cancel(order.owner));
          } else {
            id++;
            const fills: { maker: number; lots: number }[] = [];
            const left = book.match(step.side, step.ticks, step.lots, (maker, lots) =>
              fills.push({ maker: maker.owner, lots }),
            );
            if (left > 0) resting.push(book.rest(id, step.side, step.ticks, left));
            expect(fills).toEqual(naive.submit(id, step.side, step.ticks, step.lots));
          }
          expect(levelsOf(book, BID)).toEqual(naive.levels(BID));
          expect(levelsOf(book, ASK)).toEqual(naive.levels(ASK));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('tells each changed price once, absolutely, so that a copy stays equal', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), fc.integer({ min: 1, max: 7 }), (operations, every) => {
        const book = new OrderBook<number>();
        const copy = { [BID]: new Map<number, number>(), [ASK]: new Map<number, number>() };
        const resting: RestingOrder<number>[] = [];
        const drain = (): void => {
          const seen = new Set<string>();
          book.drain((side, ticks, lots) => {
            expect(seen.has(`${side} ${ticks}`)).toBe(false);
            seen.add(`${side} ${ticks}`);
            if (lots === 0) copy[side].delete(ticks);
            else copy[side].set(ticks, lots);
          });
        };
        for (const [index, step] of operations.entries()) {
          if (step.kind === 'cancel') {
            const order = resting[step.pick % Math.max(1, resting.length)];
            if (order !== undefined) book.remove(order);
          } else {
            const left = book.match(step.side, step.ticks, step.lots, () => {});
            if (left > 0) resting.push(book.rest(index, step.side, step.ticks, left));
          }
          if (index % every === 0) drain();
        }
        drain();
        expect(book.hasChanges).toBe(false);
        for (const side of [BID, ASK] as const) expect(new Map(levelsOf(book, side))).toEqual(copy[side]);
      }),
      { numRuns: 150 },
    );
  });
});
