/** A run that had lost everything and went on for days said that it had too little data for a Sharpe ratio. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run } from '../e2e/cli.ts';

const HOUR_MS = 3_600_000;
const HOURS = 12 * 24;

function bars(): string {
  const rows = Array.from({ length: HOURS }, (_, hour) => {
    const [open, close] = [hour < 3 ? 100 : 50, hour < 2 ? 100 : 50];
    return [Date.UTC(2026, 0, 1) + hour * HOUR_MS, open, open, close, close, 100_000].join(',');
  });
  return ['timestamp,open,high,low,close,volume', ...rows].join('\n');
}

const ALL_IN = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'all-in',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  interval: '1h',
  setup: () => ({ isIn: false }),
  onCandle(candle, { params, vars }) {
    if (vars.isIn) return;
    vars.isIn = true;
    return target(params.symbol, { quantity: '40' });
  },
});
`;

const CONFIG = `
risk: { maxOrderEquityFraction: 10 }
simulation: { perpetuals: { leverage: 5 } }
`;

it('is the reason that is printed in place of a Sharpe ratio', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'bars.csv'), bars());
  writeFileSync(join(folder, 'all-in.ts'), ALL_IN);
  writeFileSync(join(folder, 'config.yaml'), CONFIG);
  const kind = ['--symbol', 'BTCUSDTPERP', '--market', 'derivative', '--interval', '1h'];
  const made = await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], {
    cwd: folder,
  });
  expect(made.code, made.stderr).toBe(0);
  const argv = ['backtest', 'all-in.ts', '--data', 'bars', '--config', 'config.yaml', '--start', '1000USDT'];
  const ended = await run(argv, { cwd: folder });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toMatch(/\(-100\.0000 %\)/);
  expect(ended.stdout).toMatch(/sharpe +- \(equity was zero or less\)/);
});
