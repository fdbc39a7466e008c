// npx vitest run strategies/my-strategy.test.ts
import { scenario } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

// Levels at 59,400, 59,700, 60,000, 60,300 and 60,600.
const params = { widthBps: 100, levels: 5, quantity: '0.01', stopBps: 200 };

test('buys a level below, and sells it one level higher', async () => {
  const scene = await scenario({ strategy, params })
    .book({ bid: 59_999, ask: 60_001 })
    .expect([{ kind: 'grid', low: 59_400, high: 60_600 }])
    .fill({ side: 'buy', price: 60_000 })
    .fill({ side: 'sell', price: 60_300 });
  expect(scene.fills.map(({ side, price }) => [side, Number(price)])).toEqual([
    ['buy', 60_000],
    ['sell', 60_300],
  ]);
});

test('sells all at its stop', async () => {
  const scene = await scenario({ strategy, params })
    .book({ bid: 59_999, ask: 60_001 })
    .fill({ side: 'buy', price: 60_000 })
    .book({ bid: 58_700, ask: 58_701 })
    .advance('5s');
  expect(scene.position().isFlat).toBe(true);
  expect(scene.orders).toEqual([]);
});

test('begins no second grid after a crash', async () => {
  const scene = await scenario({ strategy, params })
    .book({ bid: 59_999, ask: 60_001 })
    .crash()
    .book({ bid: 59_999, ask: 60_001 })
    .advance('5s');
  expect(scene.programs).toHaveLength(1);
  expect(scene.denials).toEqual([]);
});
