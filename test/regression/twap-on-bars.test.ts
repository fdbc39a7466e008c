/**
 * Found from outside: on bars a `twap` with slices of a bar or less traded nothing until its end, and then all at once: each slice's
 * market order waited for the next open, and the next slice cancelled it before.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;

it.each([
  ['twenty slices of half a bar', 20],
  ['slices of a bar', 10],
  ['slices of two bars', 5],
])('bars/twap-trades-at-the-opens: %s', async (_what, slices) => {
  const cwd = freshFolder();
  const rows = Array.from({ length: 20 }, (_, at) => {
    return [Date.UTC(2026, 0, 1) + at * MINUTE_MS, 100, 101, 99, 100, 100_000].join(',');
  });
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  writeFileSync(
    join(cwd, 'slices.ts'),
    `
import { defineCandleStrategy, twap, z } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'slices',
  params: z.object({ symbol: z.string().default('XUSDT') }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol } }) =>
    ++looks === 2 ? twap({ symbol, side: 'buy', quantity: '60', over: '10m', slices: ${slices} }) : undefined,
});
`,
  );
  const kind = ['--symbol', 'XUSDT', '--market', 'spot', '--interval', '1m'];
  await callCli(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], cwd);
  const { code, stderr } = await callCli(
    ['backtest', join(cwd, 'slices.ts'), '--data', 'bars', '--result', 'result.json'],
    cwd,
  );
  expect(code, stderr).toBe(0);
  const { fills, programs } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as BacktestResult;
  const total = fills.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  expect(total).toBeCloseTo(60, 9);
  expect(programs.map(({ state, filled }) => [state, filled])).toEqual([['done', '60']]);
  const times = new Set(fills.map(({ ts }) => ts));
  // At about as many opens as there are slices, or bars.
  expect(times.size).toBeGreaterThanOrEqual(Math.min(slices, 10) - 1);
  const most = Math.max(...fills.map(({ quantity }) => Number(quantity)));
  expect(most).toBeLessThanOrEqual(2 * (60 / Math.min(slices, 10)));
});
