// npx vitest run strategies/my-strategy.test.ts
import { scenario } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

const params = { fast: 2, slow: 4, quantity: '0.01' };
const warmup = Array.from({ length: 12 }, () => 60_000);

test('buys when the price turns up, and sells when it turns down', async () => {
  const scene = await scenario({ strategy, params, warmup })
    .candles([60_000, 60_100, 60_300])
    .expect({ fills: [{ side: 'buy', quantity: 0.01 }] })
    .candles([59_900, 59_500, 59_000]);
  expect(scene.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  expect(scene.position().isFlat).toBe(true);
});

test('buys nothing while the price falls', async () => {
  await scenario({ strategy, params, warmup }).candles([59_900, 59_700, 59_500]).expect({ fills: [], denials: [] });
});
