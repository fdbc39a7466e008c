/** A backtest of a leveraged perpetual on bars outlived a low far below its liquidation price, and nothing said so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;
const MINUTES = 20;

const BUYS = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'buys',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  interval: '1m',
  onCandle: (_candle, { params }) => target(params.symbol, { quantity: '0.05' }),
});
`;

/** One of the bars falls to half and comes back. */
const BARS = Array.from({ length: MINUTES }, (_, at) =>
  [Date.UTC(2026, 0, 1) + at * MINUTE_MS, 40_000, 40_010, at === 12 ? 20_000 : 39_990, 40_000, 100].join(','),
);

async function warnings(market: 'spot' | 'derivative', leverage: number): Promise<readonly string[]> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...BARS].join('\n'));
  writeFileSync(join(cwd, 'buys.ts'), BUYS);
  writeFileSync(
    join(cwd, 'c.yaml'),
    `risk: { maxOrderEquityFraction: 100 }\nsimulation: { perpetuals: { leverage: ${leverage} } }\n`,
  );
  const kind = ['--symbol', 'BTCUSDTPERP', '--market', market, '--interval', '1m'];
  await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], { cwd });
  const start = ['--start', market === 'spot' ? '3000USDT' : '1000USDT'];
  const ended = await run(['backtest', 'buys.ts', '--data', 'bars', '--config', 'c.yaml', ...start, '--json'], { cwd });
  const { fills, warnings: all } = documentOf<{ readonly fills: number; readonly warnings: readonly string[] }>(ended);
  expect(fills).toBeGreaterThan(0);
  return all.filter((warning) => warning.includes('leverage'));
}

it('backtest/bars/warns-that-a-low-inside-a-bar-liquidates-nothing', async () => {
  expect(await warnings('derivative', 50)).toEqual([
    expect.stringMatching(/^BTCUSDTPERP, leverage 50: on bars a position is liquidated at opens, closes/),
  ]);
  expect(await warnings('spot', 50)).toEqual([]);
});
