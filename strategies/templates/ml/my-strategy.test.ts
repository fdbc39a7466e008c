// npx vitest run strategies/my-strategy.test.ts
import { scenario } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

const warmup = [60_000, 60_000, 60_000, 60_000];

test('buys after a fall, and sells after a rise', async () => {
  const scene = await scenario({ strategy, warmup })
    .candles([59_800, 59_500])
    .expect({ fills: [{ side: 'buy', quantity: 0.01 }] })
    .candles([60_000, 60_300]);
  expect(scene.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  expect(scene.position().isFlat).toBe(true);
});

test('buys nothing while the price stands still or rises', async () => {
  await scenario({ strategy, warmup }).candles([60_000, 60_001, 60_100, 60_200]).expect({ fills: [], denials: [] });
});
