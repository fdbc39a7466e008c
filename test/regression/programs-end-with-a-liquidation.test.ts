/**
 * Found from outside: once the exchange had liquidated a position, the program whose exit belonged to it sent its stop
 * again and again and ended as failed. It holds nothing any more, so it is canceled.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;

const STRATEGY = `
import { bracket, defineCandleStrategy, place, stop } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'leveraged',
  interval: '1m',
  symbols: () => ['BTCUSDTPERP'],
  onCandle: () => {
    looks++;
    const symbol = 'BTCUSDTPERP';
    ACTIONS
    return undefined;
  },
});
`;

it.each([
  [
    'bracket',
    `if (looks === 2) return bracket({ entry: { symbol, side: 'buy', type: 'market', quantity: '0.05' }, stopLoss: '15000', takeProfit: '50000' });`,
  ],
  [
    'stop',
    `if (looks === 2) return [place({ symbol, side: 'buy', type: 'market', quantity: '0.05' })];
     if (looks === 4) return stop({ symbol, side: 'sell', quantity: '0.05', trigger: '15000' });`,
  ],
])('%s', async (_kind, actions) => {
  const cwd = freshFolder();
  const rows = Array.from({ length: 40 }, (_, at) => {
    const low = at < 12 ? 39_990 : 14_000;
    const close = at < 12 ? 40_000 : 14_500;
    return [
      Date.UTC(2026, 0, 1) + at * MINUTE_MS,
      at <= 12 ? 40_000 : 14_500,
      at <= 12 ? 40_010 : 14_600,
      low,
      close,
      100,
    ].join(',');
  });
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  writeFileSync(join(cwd, 'leveraged.ts'), STRATEGY.replace('ACTIONS', actions));
  writeFileSync(
    join(cwd, 'c.yaml'),
    'risk: { maxOrderEquityFraction: 100, priceCollar: 10 }\nsimulation: { slippageBps: 0, perpetuals: { leverage: 50 } }\n',
  );
  const kind = ['--symbol', 'BTCUSDTPERP', '--market', 'derivative', '--interval', '1m'];
  await callCli(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], cwd);
  const at = ['--data', 'bars', '--config', 'c.yaml', '--start', '1000USDT', '--result', 'result.json'];
  const { code, stderr } = await callCli(['backtest', join(cwd, 'leveraged.ts'), ...at], cwd);
  expect(code, stderr).toBe(0);
  const { programs, denials, fills } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as BacktestResult;
  expect(fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  expect(programs.map(({ state, reason }) => [state, reason])).toEqual([
    ['canceled', 'its strategy holds nothing that it could close'],
  ]);
  expect(denials.map(({ reason, last }) => [reason, last])).toEqual([
    ['liquidated', expect.stringMatching(/^BTCUSDTPERP: the exchange liquidated 0.05 of leveraged at /)],
  ]);
});
