// npx vitest run strategies/my-strategy.test.ts
import { scenario } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

const params = { halfSpreadBps: 10, skew: 1, quantity: '0.01', maxPosition: 0.02 };

test('quotes both sides of the mid', async () => {
  await scenario({ strategy, params })
    .book({ bid: 59_999, ask: 60_001 })
    .expect({
      orders: [
        { side: 'buy', price: 59_940 },
        { side: 'sell', price: 60_060 },
      ],
    });
});

test('leans away from what it holds', async () => {
  const scene = await scenario({ strategy, params })
    .book({ bid: 59_999, ask: 60_001 })
    .fill({ side: 'buy' })
    .book({ bid: 59_998, ask: 60_002 })
    .advance('1s');
  const [bid, ask] = scene.orders.map(({ price }) => Number(price));
  expect(bid).toBeLessThan(59_940);
  expect(ask).toBeLessThan(60_060);
});

test('quotes the way back alone once it holds enough', async () => {
  await scenario({ strategy, params: { ...params, skew: 0, maxPosition: 0.009 } })
    .book({ bid: 59_999, ask: 60_001 })
    .fill({ side: 'buy' })
    .book({ bid: 59_998, ask: 60_002 })
    .advance('1s')
    .expect({ orders: [{ side: 'sell' }] });
});
