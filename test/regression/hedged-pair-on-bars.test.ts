/**
 * Found from outside: bars of two symbols that end at one moment were marked one after another. A hedged pair was liquidated
 * or fell by half, and which of the two depended on the order of `--data`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;
type Bar = readonly [open: number, high: number, low: number, close: number];

const CALM: Bar = [100, 101, 99, 100];
const CRASH: readonly Bar[] = [CALM, CALM, CALM, [100, 100.5, 75, 75.5], [75.5, 76, 75, 75.5], [75.5, 76, 75, 75.5]];
const GAP: readonly Bar[] = [CALM, CALM, CALM, [75, 76, 74, 75], [75, 76, 74, 75], [75, 76, 74, 75]];
const SPIKE: readonly Bar[] = [CALM, CALM, CALM, [100, 101, 75, 100], CALM, CALM];
const FLAT: readonly Bar[] = [CALM, CALM, CALM, CALM, CALM, CALM];

const STRATEGY = `
import { defineCandleStrategy, place, z } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'pair',
  params: z.object({ symbol: z.string().default('XUSDT'), other: z.string().default('YUSDT'), side: z.enum(['buy', 'sell']) }),
  interval: '1m',
  onCandle: ({ symbol: of }, { params: { symbol, other, side } }) => {
    if (of !== symbol || ++looks !== 2) return undefined;
    const order = { type: 'market', quantity: '50' } as const;
    return [place({ ...order, symbol, side: 'buy' }), place({ ...order, symbol: other, side })];
  },
});
`;

interface Scene {
  readonly x: readonly Bar[];
  readonly y: readonly Bar[];
  readonly side: 'buy' | 'sell';
  readonly market?: 'derivative' | 'spot';
  readonly leverage?: number;
  readonly order?: readonly string[];
}

async function played({ x, y, side, market = 'derivative', leverage = 10, order = ['X', 'Y'] }: Scene) {
  const cwd = freshFolder();
  for (const [name, bars] of [['X', x] as const, ['Y', y] as const]) {
    const rows = bars.map((bar, at) => [Date.UTC(2026, 0, 1) + at * MINUTE_MS, ...bar, 100_000].join(','));
    writeFileSync(join(cwd, `${name}.csv`), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
    const kind = ['--symbol', `${name}USDT`, '--market', market, '--interval', '1m'];
    await callCli(['data', 'import', `${name}.csv`, '--from', 'candles-csv', ...kind, '--out', name], cwd);
  }
  writeFileSync(join(cwd, 'pair.ts'), STRATEGY);
  writeFileSync(
    join(cwd, 'c.yaml'),
    `risk: { maxOrderEquityFraction: 100 }\nsimulation: { slippageBps: 0, fees: { maker: 0, taker: 0 }, perpetuals: { leverage: ${leverage} } }\n`,
  );
  const start = market === 'spot' ? '20000USDT,100X,100Y' : '1000USDT';
  const at = ['--data', ...order, '--config', 'c.yaml', '--start', start, '--result', 'result.json'];
  const { code, stderr } = await callCli(['backtest', join(cwd, 'pair.ts'), ...at, '--param', `side=${side}`], cwd);
  expect(code, stderr).toBe(0);
  const { fills, warnings, stats, equity } = JSON.parse(
    readFileSync(join(cwd, 'result.json'), 'utf8'),
  ) as BacktestResult;
  return {
    fills: fills.length,
    netPnl: stats.netPnl,
    drawdown: stats.maxDrawdownPct,
    equity: [...new Set(equity.map(([, value]) => value))],
    liquidated: warnings.filter((warning) => warning.includes('liquidated at')).length,
  };
}

const QUIET = { fills: 2, netPnl: 0, drawdown: 0, equity: [1000], liquidated: 0 };

it.each([
  ['a crash', CRASH],
  ['a gap', GAP],
  ['a spike inside the bar', SPIKE],
])('bars/pair-is-as-flat-as-it-is: %s, in any order of the data', async (_what, bars) => {
  for (const order of [
    ['X', 'Y'],
    ['Y', 'X'],
  ])
    expect(await played({ x: bars, y: bars, side: 'sell', order })).toEqual(QUIET);
});

it('bars/pair-on-spot-has-no-drawdown', async () => {
  for (const order of [
    ['X', 'Y'],
    ['Y', 'X'],
  ])
    expect(await played({ x: CRASH, y: CRASH, side: 'sell', market: 'spot', order })).toMatchObject({
      fills: 2,
      drawdown: 0,
    });
});

it.each([
  ['both fall', { x: CRASH, y: CRASH, side: 'buy' }],
  ['both have a low', { x: SPIKE, y: SPIKE, side: 'buy' }],
  ['one falls alone', { x: CRASH, y: FLAT, side: 'sell' }],
  ['one has a low alone', { x: SPIKE, y: FLAT, side: 'sell' }],
] as const)('bars/pair-is-liquidated: %s', async (_what, scene) => {
  for (const order of [
    ['X', 'Y'],
    ['Y', 'X'],
  ])
    expect(await played({ ...scene, order })).toMatchObject({ fills: 4, netPnl: -1000, liquidated: 2 });
});

it('bars/pair-stands: a low that the collateral covers', async () => {
  expect(await played({ x: SPIKE, y: FLAT, side: 'sell', leverage: 10 })).toMatchObject({ liquidated: 2 });
  const mild: readonly Bar[] = [CALM, CALM, CALM, [100, 101, 85, 100], CALM, CALM];
  expect(await played({ x: mild, y: FLAT, side: 'sell' })).toMatchObject({ fills: 2, liquidated: 0 });
});
