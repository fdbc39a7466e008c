/**
 * The test of timing knew positions at the points of the comparison grid alone: a strategy that held from minute to minute and
 * nothing on the hour made 29,871 by trading, and the test saw −142 of it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { normal, seededRandom } from '../../src/model/random.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

const MINUTE_MS = 60_000;
const MINUTES = 9 * 24 * 60;
const START_MS = Date.UTC(2026, 0, 1);

/** Within each hour the price rises for forty minutes and falls for ten; what is held is sold before the hour is over. */
function bars(): string {
  const random = seededRandom(3);
  let price = 10_000;
  const rows = Array.from({ length: MINUTES }, (_, minute) => {
    const open = price;
    const inHour = minute % 60;
    price += 2 * normal(random) + (inHour >= 10 && inHour < 50 ? 1 : inHour >= 50 ? -4 : 0);
    const ends = [open, Math.max(open, price), Math.min(open, price), price].map((value) => value.toFixed(2));
    return [START_MS + minute * MINUTE_MS, ...ends, (100_000 + (minute % 10) / 10).toFixed(1)].join(',');
  });
  return ['timestamp,open,high,low,close,volume', ...rows].join('\n');
}

const HOURLY = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'hourly',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  interval: '1m',
  setup: () => ({}),
  onCandle(candle, { params }) {
    const minute = (candle.openTime / 60_000) % 60;
    if (minute === 10) return target(params.symbol, { quantity: '1' });
    if (minute === 48) return target(params.symbol, { quantity: '0' });
  },
});
`;

it('explains the whole P&L of positions that are never held on the hour', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'bars.csv'), bars());
  writeFileSync(join(folder, 'hourly.ts'), HOURLY);
  const kind = ['--symbol', 'BTCUSDTPERP', '--market', 'derivative', '--interval', '1m'];
  const made = await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], {
    cwd: folder,
  });
  expect(made.code, made.stderr).toBe(0);
  const ended = await run(['validate', 'hourly.ts', '--data', 'bars', '--workers', '1', '--json'], { cwd: folder });
  expect(ended.code, ended.stderr).toBe(0);
  const { base, permutation } = documentOf<ValidationResult>(ended);
  if ('skipped' in permutation) throw new Error(permutation.skipped);
  expect(base.sampleMs).toBe(60 * MINUTE_MS);
  expect(base.metrics['trades']).toBeGreaterThan(150);
  const beforeCosts = base.metrics['netPnl']! + base.metrics['fees']!;
  expect(beforeCosts).toBeGreaterThan(4000);
  expect(permutation.timing + permutation.execution).toBeCloseTo(beforeCosts, 4);
  expect(permutation.pValue).toBeLessThan(0.1);
});
