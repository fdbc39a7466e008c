/**
 * A fill that opens a perpetual and pays no fee moves no money. It left no point in the equity curve, so the greatest and
 * the mean leverage of a position of 5x were 0.
 */
import { afterAll, expect, it } from 'vitest';
import { marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

/** The book of minute 0 at 100, and the mark, which never moves. */
function rows(): Row[] {
  const book = { bids: [['99.9', '9000']], asks: [['100', '9000']] };
  return [0, 1, 2, 3, 4].flatMap((minute): Row[] => [
    { ts: T0 + minute * MINUTE, symbol: SYMBOL, type: 'snapshot', ...book },
    { ts: T0 + minute * MINUTE + 1, symbol: SYMBOL, type: 'mark', markPrice: '100', indexPrice: '100' },
  ]);
}

it('figures/equity/a-point-at-a-fill-without-a-fee', async () => {
  const { path } = await world.record(rows(), '--market', 'derivative');
  const config = `
simulation: { slippageBps: 0, fees: { maker: 0, taker: 0 }, perpetuals: { leverage: 10 } }
risk: { maxOrderValue: 1e9, maxPosition: 1e9, maxOrderEquityFraction: 100, priceCollar: 1, dailyLossFraction: 1 }
`;
  const steps = [{ at: T0 + MINUTE + 1, actions: [marketOrder('buy', '2000', 'open')] }];
  const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', world.write('free.yaml', config)];
  const { result } = await world.run('scripted.ts', [path], ...flags);
  const [opened] = result.fills;
  expect([opened?.quantity, Number(opened?.fee)]).toEqual(['2000', 0]);
  expect(result.equity.filter(([ts]) => ts === opened?.ts)).not.toEqual([]);
  expect(result.stats['maxLeverage']).toBeCloseTo((2000 * 99.95) / 100_000, 6);
});
