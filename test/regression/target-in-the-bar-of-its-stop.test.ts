/**
 * Found from outside: of a stop and a target in one bar the target filled, with `oco`, with the trailing stop of a bracket, and with a
 * reduce-only limit beside a stop of the strategy: each such backtest on bars was too good.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;

const strategy = (actions: string): string => `
import { bracket, defineCandleStrategy, oco, place, stop, z } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'exits',
  params: z.object({ symbol: z.string().default('XUSDTPERP') }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol } }) => {
    const exit = { symbol, side: 'sell', quantity: '10' } as const;
    const target = { kind: 'place', ...exit, type: 'limit', price: '110', reduceOnly: true } as const;
    const entry = { symbol, side: 'buy', type: 'market', quantity: '10' } as const;
    looks++;
    ${actions}
    return undefined;
  },
});
`;

const ENTERS = 'if (looks === 2) return place(entry);';

/** Prices and sides of the fills; one bar reaches 89 and 112. */
async function played(actions: string) {
  const cwd = freshFolder();
  const rows = Array.from({ length: 14 }, (_, at) => {
    const [high, low] = at === 9 ? [112, 89] : [101, 99];
    return [Date.UTC(2026, 0, 1) + at * MINUTE_MS, 100, high, low, 100, 100_000].join(',');
  });
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  writeFileSync(join(cwd, 'exits.ts'), strategy(actions));
  writeFileSync(join(cwd, 'c.yaml'), 'risk: { priceCollar: 0.5 }\nsimulation: { slippageBps: 0 }\n');
  const kind = ['--symbol', 'XUSDTPERP', '--market', 'derivative', '--interval', '1m'];
  await callCli(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], cwd);
  const at = ['--data', 'bars', '--config', 'c.yaml', '--result', 'result.json'];
  const { code, stderr } = await callCli(['backtest', join(cwd, 'exits.ts'), ...at], cwd);
  expect(code, stderr).toBe(0);
  const { fills } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as BacktestResult;
  return fills.map(({ side, price }) => `${side} ${price}`);
}

const STOPPED = ['buy 100', 'sell 90'];

it.each([
  [
    'oco',
    `${ENTERS} if (looks === 4) return oco({ symbol, legs: [target, { kind: 'stop', ...exit, trigger: '90' }] });`,
  ],
  [
    'oco, the other way round',
    `${ENTERS} if (looks === 4) return oco({ symbol, legs: [{ kind: 'stop', ...exit, trigger: '90' }, target] });`,
  ],
  [
    'bracket',
    "if (looks === 2) return bracket({ entry, stopLoss: '90', takeProfit: [{ price: '110', fraction: 1 }] });",
  ],
  [
    'bracket that trails',
    "if (looks === 2) return bracket({ entry, trailing: { distance: '11' }, takeProfit: [{ price: '110', fraction: 1 }] });",
  ],
  ['stop beside a limit', `${ENTERS} if (looks === 4) return [place(target), stop({ ...exit, trigger: '90' })];`],
])('bars/of-a-stop-and-a-target-the-stop: %s', async (_what, actions) => {
  expect(await played(actions)).toEqual(STOPPED);
});

it.each([
  ['no stop', `${ENTERS} if (looks === 4) return place(target);`],
  [
    'a stop that the bar does not reach',
    `${ENTERS} if (looks === 4) return oco({ symbol, legs: [target, { kind: 'stop', ...exit, trigger: '88' }] });`,
  ],
])('bars/of-a-stop-and-a-target-the-target: %s', async (_what, actions) => {
  expect(await played(actions)).toEqual(['buy 100', 'sell 110']);
});
