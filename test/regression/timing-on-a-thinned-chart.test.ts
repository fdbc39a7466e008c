/**
 * `validate` took positions and market of the test of timing from the price path of the chart, which keeps some 6,000
 * points. On longer runs the price at a moment was minutes old, and a position was credited with the move before it was taken:
 * momentum on a market without any got p = 0.001.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { normal, seededRandom } from '../../src/model/random.ts';
import { importRecording } from '../../src/recording/importers/import.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { shiftTest } from '../../src/statistics/overfitting/shift-test.ts';

const MINUTE_MS = 60_000;
const MINUTES = 40 * 24 * 60;
const START_MS = Date.UTC(2026, 0, 1);

/** A minute before each hour it buys what rose in the last twenty minutes, and sells what did not. */
const MOMENTUM = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'momentum',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  interval: '1m',
  setup: () => ({ closes: [] as number[], minute: 0 }),
  onCandle(candle, { params, vars }) {
    vars.closes.push(candle.close);
    if (vars.closes.length > 21) vars.closes.shift();
    if (++vars.minute % 60 !== 59 || vars.closes.length < 21) return;
    return target(params.symbol, { quantity: candle.close > vars.closes[0]! ? '1' : '0' });
  },
});
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-timing-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function walk(seed: number): Promise<string> {
  const random = seededRandom(seed);
  let price = 10_000;
  const rows = Array.from({ length: MINUTES }, (_, minute) => {
    const open = price;
    price += 4 * normal(random);
    const ends = [open, Math.max(open, price), Math.min(open, price), price].map((value) => value.toFixed(2));
    return [START_MS + minute * MINUTE_MS, ...ends, (100_000 + minute / 1000).toFixed(3)].join(',');
  });
  const csv = join(folder, `walk-${seed}.csv`);
  writeFileSync(csv, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  const out = join(folder, `walk-${seed}`);
  await importRecording({
    format: 'candles-csv',
    files: [csv],
    out,
    symbols: ['BTCUSDT'],
    intervalMs: MINUTE_MS,
    now: START_MS,
  });
  return out;
}

it('credits a position with what the price did after it was taken, however long the run', async () => {
  const file = join(folder, 'momentum.ts');
  writeFileSync(file, MOMENTUM);
  const config = configSchema.parse({ simulation: { fees: { maker: '0', taker: '0' }, slippageBps: 0 } });
  for (const seed of [3, 4]) {
    const strategies = await prepareStrategies({ file, params: {}, entries: [] });
    const data = [await walk(seed)];
    const { result, trial } = await backtest({ config, strategies, data, seed: 1, repeat: 1, logger: silentLogger });
    if (typeof trial.held === 'string') throw new Error(trial.held);
    const { pValue, timing, execution } = shiftTest(trial.held);
    expect(result.fills.length).toBeGreaterThan(400);
    expect(pValue).toBeGreaterThan(0.1);
    // With a late price it was 1,900 too much.
    expect(timing + execution).toBeCloseTo(result.stats.netPnl!, 4);
  }
});
