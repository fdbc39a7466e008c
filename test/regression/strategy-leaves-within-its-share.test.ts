/**
 * Found from outside: a strategy with a share, a budget or a loss limit could not close its position while another one held the
 * opposite: the closing order was counted on top of the position. A maker that held more than half of its share could not
 * sell either.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;
const SYMBOL = 'BTCUSDTPERP';

const STRATEGY = `
import { defineCandleStrategy, place, target, z } from 'tidewire';
const looks = new Map<string, number>();
export default defineCandleStrategy({
  name: 'holds',
  params: z.object({ symbol: z.string().default('${SYMBOL}'), first: z.string(), next: z.string(), by: z.enum(['target', 'place']) }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol, first, next, by } }) => {
    const look = 1 + (looks.get(first) ?? 0);
    looks.set(first, look);
    if (look === 2) return target(symbol, { quantity: first });
    if (look < 6) return undefined;
    if (by === 'target') return target(symbol, { quantity: next });
    return look === 6 ? place({ symbol, side: 'sell', type: 'market', quantity: next }) : undefined;
  },
});
`;

interface Instance {
  readonly tag: string;
  readonly first: string;
  readonly next: string;
  readonly by?: 'target' | 'place';
  readonly limits: string;
}

/** What each holds at the end, and what was denied. */
async function played(instances: readonly Instance[], fall = 0) {
  const cwd = freshFolder();
  const rows = Array.from({ length: 20 }, (_, at) => {
    const price = at < 5 ? 50_000 : 50_000 - fall;
    return [Date.UTC(2026, 0, 1) + at * MINUTE_MS, price, price + 10, price - 10, price, 1000].join(',');
  });
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  writeFileSync(join(cwd, 'holds.ts'), STRATEGY);
  const named = instances.map(
    ({ tag, limits, by = 'target', first, next }) =>
      `  - { file: ${cwd}/holds.ts, tag: ${tag}, params: { first: '${first}', next: '${next}', by: ${by} }, limits: { ${limits} } }`,
  );
  writeFileSync(join(cwd, 'c.yaml'), ['simulation: { slippageBps: 0 }', 'strategies:', ...named].join('\n'));
  const kind = ['--symbol', SYMBOL, '--market', 'derivative', '--interval', '1m'];
  await callCli(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], cwd);
  const at = ['--data', 'bars', '--config', 'c.yaml', '--result', 'result.json'];
  const { code, stderr } = await callCli(['backtest', ...at], cwd);
  expect(code, stderr).toBe(0);
  const { positions, warnings } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as BacktestResult;
  return {
    held: positions.map(({ quantity }) => quantity),
    denied: warnings.filter((warning) => warning.startsWith('denied')),
  };
}

const LONG: Instance = { tag: 'long', first: '0.3', next: '0.3', limits: 'share: 0.5' };

it.each([
  ['share', 'share: 0.15', 0],
  ['budget', "budget: '15000'", 0],
  ['maxDailyLoss', "maxDailyLoss: '100'", -1000],
  ['maxDrawdown', "maxDrawdown: '100'", -1000],
])('limits/%s lets a strategy close what it holds against another', async (_what, limits, fall) => {
  const short: Instance = { tag: 'short', first: '-0.2', next: '0', limits };
  expect(await played([LONG, short], fall)).toEqual({ held: ['0.3'], denied: [] });
});

it('limits/share lets a strategy sell a part of more than half of it, and turn', async () => {
  const part: Instance = { tag: 'part', first: '0.3', next: '0.29', by: 'place', limits: 'share: 0.2' };
  expect(await played([part])).toEqual({ held: ['0.01'], denied: [] });
  const turn: Instance = { tag: 'turn', first: '0.3', next: '-0.3', limits: 'share: 0.2' };
  expect(await played([turn])).toEqual({ held: ['-0.3'], denied: [] });
});

it('limits/share still holds what would be more', async () => {
  const more: Instance = { tag: 'more', first: '0.3', next: '0.5', limits: 'share: 0.2' };
  const { held, denied } = await played([more]);
  expect(held).toEqual(['0.3']);
  expect(denied).toEqual([expect.stringMatching(/strategy_budget.*could be worth 25\d\d\d/)]);
  const turn: Instance = { tag: 'turn', first: '0.3', next: '-0.5', limits: 'share: 0.2' };
  expect((await played([turn])).denied).toEqual([expect.stringContaining('strategy_budget')]);
});
