/** Protections in a backtest over bars: the same words as live, counted out of its fills. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { BTC } from '../execution/rig.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A Thursday. */
const T0 = Date.parse('2026-01-08T00:00:00Z');

/** Four days of five-minute bars that fall, so that every trip loses. */
async function bars(): Promise<string> {
  const lines = Array.from({ length: 4 * 288 }, (_, at) => {
    const openTime = T0 + at * 5 * MINUTE;
    const price = 60_000 - at * 10;
    const values = { open: price, high: price + 5, low: price - 15, close: price - 10, volume: 1000 };
    return JSON.stringify({
      ts: openTime + 5 * MINUTE,
      symbol: BTC.symbol,
      type: 'candle',
      openTime,
      intervalMs: 5 * MINUTE,
      ...values,
    });
  });
  const out = join(freshDir(), 'bars');
  const instrumentFile = writeFixture('btc.json', JSON.stringify(BTC));
  const files = [writeFixture('bars.jsonl', lines.join('\n'))];
  await importRecording({ format: 'jsonl', files, symbols: [BTC.symbol], out, now: T0, instrumentFile });
  return out;
}

/** In at one bar, out at the next. */
const FLIPS = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'flips',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  interval: '5m',
  warmup: () => 0,
  setup: () => ({ count: 0 }),
  onCandle: (_candle, { params, vars }) => target(params.symbol, { quantity: vars.count++ % 2 === 0 ? '0.1' : '0' }),
});
`;

async function run(limits: object): Promise<BacktestResult> {
  const file = join(freshDir(), 'flips.ts');
  writeFileSync(file, FLIPS);
  const config = configSchema.parse({
    account: { start: { USDT: '100000' } },
    strategies: [{ file, limits }],
    risk: { dailyLossFraction: 0 },
  });
  const { result } = await backtest({
    config,
    strategies: await prepareStrategies({ file: undefined, params: {}, entries: config.strategies }),
    data: [await bars()],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  return result;
}

function buys({ fills }: BacktestResult): readonly number[] {
  const first = new Map(fills.filter(({ side }) => side === 'buy').map(({ orderRef, ts }) => [orderRef, ts]));
  return [...first.values()].toSorted((left, right) => left - right);
}

function reasons({ denials }: BacktestResult): readonly string[] {
  return denials.map(({ reason }) => reason);
}

it('without protections it trades at every other bar', async () => {
  const result = await run({});
  expect(buys(result).length).toBeGreaterThan(500);
  expect(reasons(result)).toEqual([]);
});

it('maxTradesPerDay lets so many orders of a UTC day in, and each out', async () => {
  const result = await run({ maxTradesPerDay: 3 });
  const perDay = new Map<number, number>();
  for (const ts of buys(result)) perDay.set(Math.floor(ts / DAY), (perDay.get(Math.floor(ts / DAY)) ?? 0) + 1);
  expect([...perDay.values()]).toEqual([3, 3, 3, 3]);
  expect(reasons(result)).toEqual(['max_trades']);
  expect(result.positions).toEqual([]);
});

it('cooldown keeps so long a time after each losing trip', async () => {
  const result = await run({ cooldown: '1h' });
  const sold = result.fills.filter(({ side }) => side === 'sell').map(({ ts }) => ts);
  const bought = buys(result);
  expect(bought.length).toBeGreaterThan(40);
  for (const ts of bought) {
    const before = sold.filter((exit) => exit < ts).at(-1);
    if (before !== undefined) expect(ts - before).toBeGreaterThanOrEqual(60 * MINUTE);
  }
  expect(reasons(result)).toEqual(['cooldown']);
});

it('tradingHours let it in at their times alone, and out at all times', async () => {
  const result = await run({ tradingHours: ['mon-fri 08:00-10:00 Europe/Berlin'] });
  const bought = buys(result);
  expect(bought.length).toBeGreaterThan(15);
  for (const ts of bought) {
    const at = new Date(ts);
    expect([4, 5]).toContain(at.getUTCDay());
    // Decided by ten, filled with the next bar.
    expect(at.getTime() % DAY).toBeGreaterThanOrEqual(7 * 60 * MINUTE);
    expect(at.getTime() % DAY).toBeLessThanOrEqual(9 * 60 * MINUTE + 5 * MINUTE);
  }
  expect(reasons(result)).toEqual(['trading_hours']);
});
