/** A backtest of several strategies: a result of each on its share of the capital, which add up to the result of all. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { resultSchema, summaryOf, type BacktestResult } from '../../src/session/result/result.ts';
import { BTC, denials, makeRig, PERP } from '../execution/rig.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';
import { swing } from './swings.ts';

const T0 = Date.parse('2026-01-05T00:00:00Z');
const HOUR = 3_600_000;

/** A perpetual for ten hours: a book a minute, marks, and funding every hour. */
async function perpetualData(): Promise<string> {
  const lines: object[] = [];
  for (let minute = 0; minute <= 600; minute++) {
    const ts = T0 + minute * 60_000;
    const mid = 60_000 + 300 * Math.sin(minute / 37) + minute;
    const [bid, ask] = [(mid - 0.5).toFixed(2), (mid + 0.5).toFixed(2)];
    const symbol = PERP.symbol;
    lines.push({
      ts,
      symbol,
      type: minute === 0 ? 'snapshot' : 'depth',
      seq: minute + 1,
      bids: [[bid, '50']],
      asks: [[ask, '50']],
    });
    lines.push({ ts: ts + 1, symbol, type: 'mark', markPrice: mid.toFixed(2), indexPrice: mid.toFixed(2) });
    const next = T0 + (Math.floor(minute / 60) + 1) * HOUR;
    lines.push({ ts: ts + 2, symbol, type: 'funding', rate: '0.0001', nextFundingTime: next });
  }
  const out = join(freshDir(), 'perp');
  await importRecording({
    format: 'jsonl',
    files: [writeFixture('perp.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))],
    symbols: [PERP.symbol],
    out,
    now: T0,
    market: 'derivative',
    instrumentFile: writeFixture('perp.json', JSON.stringify({ ...PERP, contractSize: '1', fundingIntervalHours: 1 })),
  });
  return out;
}

const run = (data: string, entries: readonly object[]): Promise<BacktestResult> =>
  swing(data, { USDT: '100000' }, entries);

function sumOf(result: BacktestResult, name: 'netPnl' | 'fees' | 'funding' | 'volume'): number {
  return (result.strategies ?? []).reduce((sum, { stats }) => sum + (stats[name] ?? Number.NaN), 0);
}

describe('a backtest of several strategies', () => {
  it('has a result of each that add up to that of all, with funding, fees and what is held at the end', async () => {
    const symbol = PERP.symbol;
    const result = await run(await perpetualData(), [
      { tag: 'long', params: { symbol, quantity: '0.4', every: 30, turns: true }, limits: { share: 0.5 } },
      { tag: 'short', params: { symbol, quantity: '-0.1', every: 45, turns: false }, limits: { share: 0.3 } },
    ]);
    const { stats, strategies = [] } = result;
    expect(strategies.map(({ strategy, share, capital }) => [strategy, share, capital])).toEqual([
      ['long', 0.5, 50_000],
      ['short', 0.3, 30_000],
    ]);
    expect(strategies.every(({ fills }) => fills > 0)).toBe(true);
    expect(Math.abs(stats.funding ?? 0)).toBeGreaterThan(1);
    expect(Math.abs(strategies[1]?.stats.funding ?? 0)).toBeGreaterThan(1);
    for (const name of ['netPnl', 'fees', 'funding', 'volume'] as const)
      expect(sumOf(result, name), name).toBeCloseTo(stats[name] ?? Number.NaN, 4);
    expect(strategies.reduce((sum, { fills }) => sum + fills, 0)).toBe(result.fills.length);
    expect(strategies.reduce((sum, { orders }) => sum + orders.submitted, 0)).toBe(result.orderCounts.submitted);
    const long = strategies[0]?.stats;
    expect(long?.returnPct).toBeCloseTo(((long?.netPnl ?? 0) / 50_000) * 100, 9);
    expect(summaryOf(result).strategies).toEqual(strategies);
    expect(resultSchema.safeParse(JSON.parse(JSON.stringify(result))).error).toBeUndefined();
  });

  it('of one strategy has no list of each', async () => {
    const params = { symbol: PERP.symbol, quantity: '0.1', every: 30, turns: true };
    const result = await run(await perpetualData(), [{ tag: 'only', params }]);
    expect(result.strategies).toBeUndefined();
    expect('strategies' in summaryOf(result)).toBe(false);
  });
});

describe('a share of the capital', () => {
  it('is a budget that moves with the equity', () => {
    const rig = makeRig({ limits: { share: 0.01 }, specs: [BTC] });
    // 1,000,000 USDT and 10 BTC at 60,000: 1 % is 16,000.
    const buy = (quantity: string): void =>
      rig.executor.submit('maker', {
        kind: 'place',
        symbol: BTC.symbol,
        side: 'buy',
        type: 'limit',
        price: '59000',
        quantity,
      });
    buy('0.2');
    buy('0.1');
    expect(denials(rig)).toEqual(['strategy_budget']);
    const [message] = rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
    expect(message).toMatch(/could be worth 18000\.15, the budget is 16000\.05/);
    buy('0.05');
    expect(rig.venue.resting()).toHaveLength(2);
  });

  it('is above 0, at most 1, and at most 1 of all strategies together', () => {
    expect(limitsSchema.safeParse({ share: 0 }).success).toBe(false);
    expect(limitsSchema.safeParse({ share: 1.1 }).success).toBe(false);
    const parsed = (shares: readonly number[]) =>
      configSchema.safeParse({ strategies: shares.map((share, at) => ({ file: `${at}.ts`, limits: { share } })) });
    expect(parsed([0.1, 0.2, 0.7]).success).toBe(true);
    expect(parsed([0.6, 0.5]).error?.issues[0]?.message).toBe(
      'the shares of the strategies are 1.1 together, more than 1',
    );
  });
});
