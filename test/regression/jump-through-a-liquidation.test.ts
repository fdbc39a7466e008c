/**
 * The market jumped through the liquidation of a perpetual while an order of ours rested below: the curve took the moment
 * between the fill and the liquidation, in which the account seemed to owe, for equity. It fell to −4,071 with a drawdown of
 * 303 %. What is lost beyond the margin is the venue's (docs/simulation.md, "Perpetuals").
 */
import { afterAll, expect, it } from 'vitest';
import { limit, marketOrder, quote, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 2, 1);

const CONFIG = `
simulation: { perpetuals: { leverage: 10 } }
risk: { maxOrderValue: 1e9, maxPosition: 1e9, maxOrderEquityFraction: 100, priceCollar: 1, dailyLossFraction: 1 }
`;

it('figures/liquidation/a jump takes all of the margin and no more', async () => {
  const rows = [1000, 1001, 700, 720].map((mid, second) => {
    const ts = T0 + second * 1000;
    return quote(ts, [`${mid - 1}`, '5001'], [`${mid + 1}`, '4999'], { recv: ts + 1 });
  });
  const { path } = await world.record(rows, '--market', 'derivative');
  const steps = [{ at: T0 + 100, actions: [marketOrder('buy', '600', 'long'), limit('buy', '900', '1', 'below')] }];
  const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', world.write('leverage.yaml', CONFIG)];
  const { result } = await world.run('scripted.ts', [path], ...flags);
  expect(result.warnings.join('\n')).toContain('liquidation at');
  // The order below was filled by the jump, before the exchange looked at the margin.
  expect(result.fills.map(({ orderRef }) => orderRef)).toContain('below');
  const lowest = Math.min(...result.equity.map(([, equity]) => equity));
  expect(lowest).toBeGreaterThan(-1e-6);
  expect(lowest).toBeLessThan(1e-6);
  expect(result.stats['maxDrawdownPct']).toBeLessThanOrEqual(100);
  expect(result.stats['maxDrawdownPct']).toBeGreaterThan(99.999999);
  expect(result.stats['netPnl']).toBeCloseTo(-100_000, 6);
  expect(result.stats['external']).toBe(0);
  // The order of the exchange is no order of the strategy.
  expect(result.stats['fillRatio']).toBe(1);
});
