/**
 * On bars a perpetual that a limit order opened inside a bar was first valued at the open of that bar, which was over: a
 * false peak of the equity, and so a false drawdown. So was a funding that settled with the bar. Both count at its close.
 */
import { afterAll, expect, it } from 'vitest';
import { limit, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const HOUR = 3_600_000;
/** Midnight of a UTC day. */
const T0 = 1_699_920_000_000;

type Prices = readonly [open: number, high: number, low: number, close: number];

function bar(hour: number, [open, high, low, close]: Prices): Row {
  const openTime = T0 + hour * HOUR;
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: HOUR, openTime, ...prices, volume: '1000' };
}

async function equityOf(config: string): Promise<{ points: readonly string[]; drawdown: number | null | undefined }> {
  const rows = [
    bar(4, [100, 101, 99, 100]),
    bar(5, [100, 101, 94, 95]),
    bar(6, [95, 96, 94, 95]),
    bar(7, [95, 98, 94, 97]),
    bar(8, [97, 98, 96, 97]),
  ];
  const { path } = await world.record(rows, '--market', 'derivative');
  const steps = [{ at: T0 + 5 * HOUR + 1, actions: [limit('buy', '96', '100', 'dip')] }];
  const file = world.write('free.yaml', `simulation: { fees: { maker: 0.001, taker: 0 }${config} }`);
  const { result } = await world.run(
    'scripted.ts',
    [path],
    '--config',
    file,
    '--param',
    `steps=${JSON.stringify(steps)}`,
  );
  const points = result.equity.map(([ts, value]) => `${(ts - T0) / HOUR} ${value}`);
  return { points, drawdown: result.stats['maxDrawdownPct'] };
}

it('a fill is valued at the close that it bears', async () => {
  const { points, drawdown } = await equityOf('');
  expect([...new Set(points)]).toEqual(['5 100000', '6 99890.4', '8 100090.4', '9 100090.4']);
  expect(drawdown).toBeCloseTo(0.1096, 10);
});

it('a funding at the end of a bar is valued at its close', async () => {
  const { points } = await equityOf(', perpetuals: { fundingRate: 0.01 }');
  expect([...new Set(points)]).toEqual(['5 100000', '6 99890.4', '8 99993.4', '9 99993.4']);
});
