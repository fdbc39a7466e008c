/** Strategies of the library that read the order flow or two markets at once, in scenarios. */
import { expect, it } from 'vitest';
import { scenario, type Scenario } from '../../src/testing/index.ts';
import orderFlow from '../../strategies/order-flow.ts';
import pairs from '../../strategies/pairs.ts';

it('order-flow buys a burst of bids, holds it for its time and no longer', async () => {
  const params = { changes: 5, usual: 20, enter: 3, holdSeconds: 10 };
  let scene = scenario({ strategy: orderFlow, params });
  for (let index = 0; index < 60; index++)
    scene = scene.book({ bid: 60_000, ask: 60_001, bidQuantity: 5 + (index % 2) }).advance('100ms');
  await scene.expect({ fills: [] });
  const bought = await scene.book({ bid: 60_000, ask: 60_001, bidQuantity: 60 });
  expect(bought.fills).toMatchObject([{ side: 'buy', quantity: '0.001' }]);
  await bought.advance('9s').expect({ fills: [{}] });
  await bought.advance('2s').expect({ fills: [{}, { side: 'sell' }], denials: [] });
  expect(bought.position().isFlat).toBe(true);
});

it('pairs sells what has run away, buys the other by the ratio, and leaves when they have met', async () => {
  const at = ['ETHUSDT', 'BTCUSDT'];
  const params = { window: 30, noise: 1, delta: 0.0001 };
  const look = (scene: Scenario, eth: number, btc: number): Scenario =>
    scene
      .book({ symbol: 'ETHUSDT', bid: eth - 0.05, ask: eth + 0.05 })
      .book({ symbol: 'BTCUSDT', bid: btc - 0.5, ask: btc + 0.5 })
      .advance('1s');
  let scene = scenario({ strategy: pairs, at, params });
  const wave = (index: number): number => Math.sin(index / 4) * 0.002;
  const priced = (base: number, move: number): number => Math.round(base * (1 + move) * 10) / 10;
  for (let index = 0; index < 90; index++) scene = look(scene, priced(2500, wave(index)), priced(60_000, wave(index)));
  const parted = await look(look(scene, priced(2500, wave(90) + 0.004), priced(60_000, wave(90))), 2510, 60_000);
  expect(parted.position('ETHUSDT').size).toBeLessThan(0);
  expect(parted.position('BTCUSDT').size).toBeGreaterThan(0);
  let later: Scenario = parted.advance('1s');
  for (let index = 91; index < 130; index++)
    later = look(later, priced(2500, wave(index)), priced(60_000, wave(index)));
  const met = await later;
  expect(met.position('ETHUSDT').isFlat).toBe(true);
  expect(met.position('BTCUSDT').isFlat).toBe(true);
  expect(met.denials).toEqual([]);
});
