import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyFill,
  applyReport,
  applyVerdict,
  CONTRADICTION,
  OrderProgress,
  filledLots,
  isClosed,
  isSettled,
  LATE,
  markSending,
  OVERFILL,
  reservedLots,
  verdicts,
} from '../../src/spine/orders/order-machine.ts';
import { dec, decimalText } from '../../src/model/numbers/money.ts';
import type { VenueOrderStatus } from '../../src/model/trading/order.ts';

type Message =
  | { readonly kind: 'verdict'; readonly verdict: (typeof verdicts)[keyof typeof verdicts] }
  | {
      readonly kind: 'report';
      readonly status: VenueOrderStatus;
      readonly filledLots: number;
      readonly averagePrice: string | null;
    }
  | { readonly kind: 'fill'; readonly tradeId: string; readonly lots: number; readonly ticks: number };

function tell(order: OrderProgress, message: Message): number {
  if (message.kind === 'verdict') return applyVerdict(order, message.verdict);
  if (message.kind === 'report') return applyReport(order, message);
  return applyFill(order, {
    tradeId: message.tradeId,
    lots: message.lots,
    price: dec(message.ticks),
    quantity: dec(message.lots),
    lotsOf: (quantity) => quantity.toNumber(),
  });
}

function run(messages: readonly Message[], lots = 10): OrderProgress {
  const order = new OrderProgress(lots);
  markSending(order);
  for (const message of messages) tell(order, message);
  return order;
}

const TRADES = ['t1', 't2', 't3', 't4', 't5', 't6'];

function shown(order: OrderProgress): object {
  const { trades, fillCost, fillQuantity, ...rest } = order;
  return {
    ...rest,
    trades: TRADES.filter((tradeId) => trades?.has(tradeId) === true),
    tradeCount: trades?.size ?? 0,
    cost: decimalText(fillCost),
    quantity: decimalText(fillQuantity),
  };
}

const verdictMessage = fc
  .constantFrom(verdicts.unknown, verdicts.refused, verdicts.exists, verdicts.denied)
  .map((verdict): Message => ({ kind: 'verdict', verdict }));
const reportMessage = fc
  .record({
    status: fc.constantFrom<VenueOrderStatus>('new', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected'),
    filledLots: fc.integer({ min: 0, max: 12 }),
    averagePrice: fc.constantFrom(null, '1', '2.5'),
  })
  .map((report): Message => ({ kind: 'report', ...report }));
const fillMessage = fc
  .integer({ min: 1, max: 6 })
  .map((id): Message => ({ kind: 'fill', tradeId: `t${id}`, lots: (id % 3) + 1, ticks: 100 + id }));
const messages = fc.array(fc.oneof(verdictMessage, reportMessage, fillMessage), { maxLength: 12 });

describe('the order machine', () => {
  it('ends the same after any permutation and any duplication of the messages', () => {
    fc.assert(
      fc.property(
        messages,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
        (list, again, keys) => {
          const doubled = [
            ...list,
            ...again.flatMap((index) => (list.length === 0 ? [] : [list[index % list.length]!])),
          ];
          const shuffled = doubled
            .map((message, index) => ({ message, key: keys[index] ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ message }) => message);
          expect(shown(run(shuffled))).toEqual(shown(run(list)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never reopens what the venue closed, and never takes a filled quantity back', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const order = new OrderProgress(10);
        let filled = 0;
        let closedByVenue = false;
        for (const message of list) {
          tell(order, message);
          expect(filledLots(order)).toBeGreaterThanOrEqual(filled);
          filled = filledLots(order);
          if (closedByVenue) expect(isClosed(order)).toBe(true);
          closedByVenue ||= order.terminal > 0;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('knows the price of its fills for as long as they have one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(100, 101), { maxLength: 6 }), (prices) => {
        const order = run(
          prices.map((ticks, index) => ({ kind: 'fill', tradeId: `t${index}`, lots: index + 1, ticks })),
        );
        const isOne = new Set(prices).size === 1;
        expect(order.fillPrice?.toNumber() ?? null).toBe(isOne ? prices[0] : null);
        if (isOne) expect(order.fillPrice?.eq(order.fillCost.div(order.fillQuantity))).toBe(true);
      }),
    );
  });

  it('takes a late fill after every closing status, counts it and says so', () => {
    for (const status of ['canceled', 'expired', 'rejected'] as const) {
      const order = run([{ kind: 'report', status, filledLots: 0, averagePrice: null }]);
      expect(tell(order, { kind: 'fill', tradeId: 'x', lots: 4, ticks: 100 }) & LATE).toBe(LATE);
      expect(order.fillLots).toBe(4);
      expect(order.state).toBe(status);
    }
  });

  it('does not call a fill late that the closing report had counted', () => {
    const order = run([{ kind: 'report', status: 'canceled', filledLots: 4, averagePrice: '100' }]);
    expect(isSettled(order)).toBe(false);
    expect(reservedLots(order)).toBe(4);
    expect(tell(order, { kind: 'fill', tradeId: 'x', lots: 4, ticks: 100 }) & LATE).toBe(0);
    expect(isSettled(order)).toBe(true);
  });

  it('records an overfill instead of dropping it', () => {
    const order = run([{ kind: 'fill', tradeId: 'a', lots: 10, ticks: 1 }]);
    expect(tell(order, { kind: 'fill', tradeId: 'b', lots: 1, ticks: 1 }) & OVERFILL).toBe(OVERFILL);
    expect(order.fillLots).toBe(11);
    expect(order.state).toBe('filled');
  });

  it('lets proof of existence overrule the conclusion that the order does not exist', () => {
    for (const verdict of [verdicts.refused, verdicts.neverArrived, verdicts.denied]) {
      const order = run([{ kind: 'verdict', verdict }]);
      expect(isClosed(order)).toBe(true);
      const flags = tell(order, { kind: 'report', status: 'new', filledLots: 0, averagePrice: null });
      expect(flags & CONTRADICTION).toBe(CONTRADICTION);
      expect(order.state).toBe('open');
    }
  });

  it('keeps the whole quantity reserved while the fate is unknown', () => {
    const order = run([{ kind: 'verdict', verdict: verdicts.unknown }]);
    expect(order.state).toBe('unknown');
    expect(reservedLots(order)).toBe(10);
  });
});
