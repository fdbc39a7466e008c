/**
 * Found from outside: a leveraged perpetual outlived a low far below its liquidation price, as bars were marked at opens and
 * closes alone. A stop that closes all of the position before that price is reached first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;
const MINUTES = 20;
const SPIKE = 12;

const strategy = (actions: string): string => `
import { defineCandleStrategy, place, stop, trailingStop, z } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'leveraged',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol } }) => {
    looks++;
    ${actions}
    return undefined;
  },
});
`;

const ENTERS = (side: 'buy' | 'sell'): string =>
  `if (looks === 2) return place({ symbol, side: '${side}', type: 'market', quantity: '0.05' });`;
const STOPS = (terms: string): string =>
  `if (looks === 6) return stop({ symbol, side: 'sell', quantity: '0.05', ${terms} });`;

/** Each comes back to 40,000; one has this low and high. */
function bars(low: number, high: number, deepBars: number): string {
  const rows = Array.from({ length: MINUTES }, (_, at) => {
    const [lowest, highest] = at >= SPIKE && at < SPIKE + deepBars ? [low, high] : [39_990, 40_010];
    return [Date.UTC(2026, 0, 1) + at * MINUTE_MS, 40_000, highest, lowest, 40_000, 100].join(',');
  });
  return ['timestamp,open,high,low,close,volume', ...rows].join('\n');
}

interface Scene {
  readonly actions: string;
  readonly low?: number;
  readonly high?: number;
  readonly market?: string;
  /** So many bars have the low. */
  readonly deepBars?: number;
}

/** Orders with their reason and average price, and whether a warning says that something was liquidated. */
async function played({ actions, low = 19_000, high = 40_010, market = 'derivative', deepBars = 1 }: Scene) {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'bars.csv'), bars(low, high, deepBars));
  writeFileSync(join(cwd, 'leveraged.ts'), strategy(actions));
  writeFileSync(
    join(cwd, 'c.yaml'),
    'risk: { maxOrderEquityFraction: 100 }\nsimulation: { slippageBps: 0, perpetuals: { leverage: 50 } }\n',
  );
  const kind = ['--symbol', 'BTCUSDTPERP', '--market', market, '--interval', '1m'];
  await callCli(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], cwd);
  const start = ['--start', '1000USDT'];
  const at = ['--data', 'bars', '--config', 'c.yaml', ...start, '--result', 'result.json'];
  const { code, stderr } = await callCli(['backtest', join(cwd, 'leveraged.ts'), ...at], cwd);
  expect(code, stderr).toBe(0);
  const { fills, warnings, period } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as BacktestResult;
  return {
    fills: fills.map(({ ts, side, price }) => [(ts - period.from) / MINUTE_MS, side, price]),
    isLiquidated: warnings.some((warning) => warning.includes('liquidated at')),
  };
}

/** The period begins with the first close. */
const CLOSE = SPIKE;

it('bars/a-low-liquidates-a-long', async () => {
  const { fills, isLiquidated } = await played({ actions: ENTERS('buy') });
  expect(isLiquidated).toBe(true);
  expect(fills).toEqual([
    [1, 'buy', '40000'],
    [CLOSE, 'sell', expect.stringMatching(/^20\d\d\d/)],
  ]);
});

it('bars/a-high-liquidates-a-short', async () => {
  const { fills, isLiquidated } = await played({ actions: ENTERS('sell'), low: 39_990, high: 61_000 });
  expect(isLiquidated).toBe(true);
  expect(fills).toEqual([
    [1, 'sell', '40000'],
    [CLOSE, 'buy', expect.stringMatching(/^59\d\d\d/)],
  ]);
});

it('bars/a-low-liquidates-what-a-limit-bought-on-the-way', async () => {
  const actions =
    "if (looks === 2) return place({ symbol, side: 'buy', type: 'limit', price: '39000', quantity: '0.05' });";
  const { fills, isLiquidated } = await played({ actions, low: 18_000 });
  expect([fills.map(([, side]) => side), isLiquidated]).toEqual([['buy', 'sell'], true]);
});

it.each([
  ['one that no low reaches', { actions: ENTERS('buy'), low: 21_000 }],
  ['a short by a low', { actions: ENTERS('sell') }],
  ['spot', { actions: ENTERS('buy').replace('0.05', '0.02'), market: 'spot' }],
])('bars/leaves-alone: %s', async (_what, scene) => {
  expect(await played(scene)).toMatchObject({ fills: [[1, expect.any(String), '40000']], isLiquidated: false });
});

it.each([
  ['a stop', `${ENTERS('buy')} ${STOPS("trigger: '39000'")}`, '39000'],
  [
    'a trailing stop',
    `${ENTERS('buy')} if (looks === 6) return trailingStop({ symbol, side: 'sell', quantity: '0.05', bps: 500 });`,
    /^380\d\d/,
  ],
  ['a stop by mark', `${ENTERS('buy')} ${STOPS("trigger: '39000', by: 'mark'")}`, '39000'],
  [
    'two stops of a half each',
    `${ENTERS('buy')} if (looks === 6) return ['39000', '38000'].map((trigger) => stop({ symbol, side: 'sell', quantity: '0.025', trigger }));`,
    '39000',
  ],
])('bars/a-stop-leaves-first: %s', async (_what, actions, price) => {
  const { fills, isLiquidated } = await played({ actions });
  expect(isLiquidated).toBe(false);
  // The open of the next bar would be better: a stop leaves no better than its trigger.
  expect(fills[1]).toEqual([CLOSE, 'sell', expect.stringMatching(price)]);
});

it.each([
  ['below the liquidation', `${ENTERS('buy')} ${STOPS("trigger: '19500'")}`],
  ['of a part', `${ENTERS('buy')} ${STOPS("trigger: '39000'").replace('0.05', '0.02')}`],
])('bars/a-stop-is-too-late: %s', async (_what, actions) => {
  expect((await played({ actions })).isLiquidated).toBe(true);
});

it('bars/a-stop-that-has-fired-leaves-at-the-next-open, whatever the low of its bar', async () => {
  const limit = "place({ symbol, side: 'buy', type: 'limit', price: '39000', quantity: '0.05' })";
  const actions = `if (looks === 2) return [${limit}, stop({ symbol, side: 'sell', quantity: '0.05', trigger: '38000' })];`;
  // Entry and trigger lie in one bar; its exit waits for the open after the next.
  const { fills, isLiquidated } = await played({ actions, low: 18_000, deepBars: 2 });
  expect([fills.map(([, side, price]) => [side, price]), isLiquidated]).toEqual([
    [
      ['buy', '39000'],
      ['sell', '38000'],
    ],
    false,
  ]);
});
