/** What the venue remembers is bounded, and a question that reaches further back is not answered as if it were whole. */
import { expect, test } from 'vitest';
import type { OrderReport } from '../../../src/model/trading/order.ts';
import { OrderStore } from '../../../src/simulation/venue/order-store.ts';

function closed(number: number): OrderReport {
  return {
    orderId: `sim-${number}`,
    clientOrderId: `c${number}`,
    market: 'spot',
    symbol: 'AAABBB',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: '1',
    quantity: '1',
    filledQuantity: '0',
    averagePrice: null,
    status: 'canceled',
    createdAt: number,
    updatedAt: number,
  };
}

test.each([
  ['of a backtest', 20_000],
  ['of a paper session', 100_000],
])('the history %s holds at least half of its bound and never more than that', (_, historyMax) => {
  const store = historyMax === 100_000 ? new OrderStore() : new OrderStore(historyMax);
  for (let number = 0; number <= 2 * historyMax; number++) store.addClosed(closed(number));
  const reading = store.history({ market: 'spot', from: 0 }, 1);
  expect(reading.kind).toBe('partial');
  expect(reading.kind === 'failed' ? 0 : reading.items.length).toBe(historyMax / 2 + 1);
  expect(store.knowsClientId('c0')).toBe(false);
  expect(store.history({ market: 'spot', from: 1.5 * historyMax }, 1).kind).toBe('complete');
});
