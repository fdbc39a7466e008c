/**
 * Of the mids of a second only the last was kept, of the equity the lowest and highest too: the leverage at those points
 * was made of the equity of one moment and the mid of another.
 */
import { afterAll, expect, it } from 'vitest';
import { marketOrder, quote, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 2, 1);

const CONFIG = `
simulation: { fees: { maker: 0, taker: 0 }, perpetuals: { leverage: 10 } }
risk: { maxOrderValue: 1e9, maxPosition: 1e9, maxOrderEquityFraction: 100, priceCollar: 1, dailyLossFraction: 1 }
`;

it('figures/leverage/is that of the equity and the mid of one moment', async () => {
  const mids = [
    [0, 1000],
    [2000, 1000],
    [3100, 900],
    [3200, 1100],
    [3300, 1000],
    [5000, 1000],
  ] as const;
  const rows = mids.map(([at, mid]) => quote(T0 + at, [`${mid - 1}`, '5001'], [`${mid + 1}`, '4999']));
  const { path } = await world.record(rows, '--market', 'derivative');
  const steps = [{ at: T0 + 100, actions: [marketOrder('buy', '500', 'long')] }];
  const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', world.write('leverage.yaml', CONFIG)];
  const { result } = await world.run('scripted.ts', [path], ...flags);
  expect(result.fills.map(({ price, quantity }) => `${quantity}@${price}`)).toEqual(['500@1001']);
  // 500 · 900 over 100,000 + 500 · (900 − 1001).
  expect(result.stats['maxLeverage']).toBeCloseTo(450_000 / 49_500, 9);
});
