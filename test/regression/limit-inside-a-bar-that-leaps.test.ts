/**
 * Found from outside: what a limit sold inside a bar was still held when the equity was marked at the bar's close: a peak that never
 * was, with a drawdown of 16 % and an excursion of 19,946 of a trade that left at 1010.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run } from '../e2e/cli.ts';

const SELLS_HIGHER = `
import { defineCandleStrategy, place, z } from 'tidewire';
let looks = 0;
export default defineCandleStrategy({
  name: 'sells-higher',
  params: z.object({ symbol: z.string().default('AUSDT') }),
  interval: '1m',
  onCandle: (_candle, { params: { symbol } }) => {
    looks++;
    if (looks === 1) return place({ symbol, side: 'buy', type: 'market', quantity: '40' });
    if (looks === 3) return place({ symbol, side: 'sell', type: 'limit', price: '1010', quantity: '39' });
  },
});
`;

/** Ten at 1000, one that leaps to 1500 and closes there, some at 1010. */
const BARS = Array.from({ length: 20 }, (_, at) => {
  const [open, high, close] = at === 10 ? [1000, 1500, 1500] : at < 10 ? [1000, 1000, 1000] : [1010, 1010, 1010];
  return [Date.UTC(2026, 0, 1) + at * 60_000, open, high, Math.min(open, close), close, 10_000].join(',');
});

interface Result {
  readonly stats: { readonly maxDrawdownPct: number };
  readonly equity: readonly (readonly [ts: number, equity: number])[];
}

it('backtest/bars/what-left-inside-a-bar-is-not-worth-its-close', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...BARS].join('\n'));
  writeFileSync(join(cwd, 'sells.ts'), SELLS_HIGHER);
  const kind = ['--symbol', 'AUSDT', '--market', 'spot', '--interval', '1m'];
  await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], { cwd });
  for (const plain of [[], ['--plain']]) {
    const ended = await run(
      ['backtest', 'sells.ts', '--data', 'bars', '--start', '100000USDT', '--result', 'r.json', ...plain],
      { cwd },
    );
    expect(ended.code).toBe(0);
    const { stats, equity } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as Result;
    // One is left, worth 1500 at that close: about 100,000 + 39 × 10 + 500 less fees.
    const peak = Math.max(...equity.map(([, value]) => value));
    expect(peak).toBeGreaterThan(100_700);
    expect(peak).toBeLessThan(100_900);
    // It falls back to 1010.
    expect(stats.maxDrawdownPct).toBeCloseTo((100 * 490) / peak, 1);
  }
});
