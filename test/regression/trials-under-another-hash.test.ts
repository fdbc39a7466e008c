/**
 * Trials were counted by one hash of the whole data: a new download with one bar more, another symbol name at the import or
 * a recording beside made all tries forgotten and the lockbox unseen, and 40 random strategies became one with a DSR of 0.9.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../src/model/random.ts';
import { importRecording } from '../../src/recording/importers/import.ts';
import { joinedParts, PartsDraft } from '../../src/recording/tape/data-parts.ts';
import { lockboxOf } from '../../src/research/lockbox.ts';
import { counted } from '../../src/research/ledger/counted.ts';
import { sameDataOf } from '../../src/research/ledger/same-data.ts';
import { spaceSchema } from '../../src/research/sweep/space.ts';
import { sweep } from '../../src/research/sweep/sweep.ts';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import { validate } from '../../src/research/validate/validate.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir } from '../recording/fixtures.ts';

const BAR_MS = 900_000;
const START_MS = Date.UTC(2025, 0, 1);
const DAYS = 10;
const TRIALS = 8;

const STRATEGY = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'every',
  params: z.object({ symbol: z.string().default('BTCUSDT'), every: z.coerce.number().default(2) }),
  interval: '15m',
  setup: () => ({ n: { v: 0 } }),
  onCandle: (_, { params, vars }) =>
    target(params.symbol, { quantity: Math.floor(vars.n.v++ / params.every) % 2 === 0 ? '0.1' : '0' }),
});
`;

/** Lines of bars; a seed is a market. */
function bars(seed: number, days = DAYS, fromMs = START_MS): readonly string[] {
  const random = seededRandom(seed);
  let close = 50_000;
  return Array.from({ length: (days * 86_400_000) / BAR_MS }, (_, index) => {
    const open = close;
    close = open * (1 + 0.002 * normal(random));
    const prices = [open, 1.0001 * Math.max(open, close), 0.9999 * Math.min(open, close), close];
    return [fromMs + index * BAR_MS, ...prices.map((price) => price.toFixed(2)), '1000'].join(',');
  });
}

async function recorded(lines: readonly string[], symbol = 'BTCUSDT'): Promise<string> {
  const folder = freshDir();
  const file = join(folder, 'bars.csv');
  writeFileSync(file, ['timestamp,open,high,low,close,volume', ...lines].join('\n'));
  const out = join(folder, 'recording');
  const asked = { symbols: [symbol], market: 'spot', intervalMs: BAR_MS } as const;
  await importRecording({ format: 'candles-csv', files: [file], out, now: START_MS, ...asked });
  return out;
}

const config = configSchema.parse({ account: { start: { USDT: '1000000' } } });
const clock = createSystemClock();
let file = '';
let ledger = '';
let searched: SweepResult;

beforeAll(async () => {
  const folder = freshDir();
  file = join(folder, 'every.ts');
  writeFileSync(file, STRATEGY);
  ledger = join(folder, 'trials.db');
  searched = await search(ledger, await recorded(bars(1)));
});

async function search(path: string, data: string): Promise<SweepResult> {
  return sweep({
    file,
    fixed: {},
    config,
    data: [data],
    space: spaceSchema.parse({ parameters: { every: { from: 2, to: TRIALS + 1, integer: true, step: 1 } } }),
    method: 'grid',
    seed: 1,
    halving: false,
    lockboxShare: 0.2,
    workers: 1,
    trialTimeoutMs: 60_000,
    ledger: path,
    clock,
    stopped: () => false,
  });
}

function copyOf(path: string): string {
  const copy = join(freshDir(), 'trials.db');
  cpSync(path, copy);
  return copy;
}

interface Tried {
  readonly symbol?: string;
  readonly every?: number;
  readonly toMs?: number;
}

/** One more backtest in a ledger, by default one that was not tried. */
async function tried(data: readonly string[], path: string, asked: Tried = {}): Promise<BacktestResult> {
  const { symbol = 'BTCUSDT', every = TRIALS + 2, toMs } = asked;
  const strategies = await prepareStrategies({ file, params: { symbol, every: String(every) }, entries: [] });
  const period = toMs === undefined ? {} : { toMs };
  const run = await backtest({ config, strategies, data, ...period, seed: 1, repeat: 1, logger: silentLogger });
  return counted(run, path, 1, lockboxOf({ from: run.trial.period.from, to: run.trial.dataTo }, 0.2));
}

const without = (lines: readonly string[], at: number): readonly string[] => lines.toSpliced(at, 1);

describe('the tries are counted of the same market', () => {
  it.each([
    ['under another symbol name', async () => [await recorded(bars(1), 'XBTUSDT')], 'XBTUSDT'],
    ['without a bar', async () => [await recorded(without(bars(1), 400))], 'BTCUSDT'],
    ['without the first bar', async () => [await recorded(without(bars(1), 0))], 'BTCUSDT'],
    ['without the last bar', async () => [await recorded(without(bars(1), bars(1).length - 1))], 'BTCUSDT'],
    ['that goes on for days', async () => [await recorded(bars(1, DAYS + 5))], 'BTCUSDT'],
    ['its first half', async () => [await recorded(bars(1, DAYS / 2))], 'BTCUSDT'],
    ['with another beside', async () => [await recorded(bars(1)), await recorded(bars(2), 'ETHUSDT')], 'BTCUSDT'],
    [
      'in two recordings',
      async () => [await recorded(bars(1).slice(0, 500)), await recorded(bars(1).slice(500))],
      'BTCUSDT',
    ],
  ])('%s', async (_, data, symbol) => {
    expect(searched.ledger?.trials).toBe(TRIALS);
    const again = await tried(await data(), copyOf(ledger), { symbol });
    expect(again.ledger?.trials).toBe(TRIALS + 1);
    expect(again.stats.effectiveTrials).toBeGreaterThan(2);
  });

  it.each([
    ['another market of the same days', async () => recorded(bars(2))],
    ['another time', async () => recorded(bars(1, DAYS, START_MS + DAYS * 86_400_000))],
    ['mostly another time', async () => recorded(bars(1, 3 * DAYS).slice(Math.round(0.8 * bars(1).length)))],
  ])('and not of %s', async (_, data) => {
    expect((await tried([await data()], copyOf(ledger))).ledger?.trials).toBe(1);
  });

  it('the same search over a new download is no new tries', async () => {
    const path = copyOf(ledger);
    const again = await search(path, await recorded(bars(1, DAYS + 1)));
    expect(again.ledger?.trials).toBe(TRIALS);
    expect((await tried([await recorded(bars(1, DAYS + 2))], path, { every: 2 })).ledger?.trials).toBe(TRIALS);
  });
});

it('a lockbox is seen and opened under another hash, and not by what a bar less moves its border', async () => {
  const path = copyOf(ledger);
  const renamed = await recorded(bars(1), 'XBTUSDT');
  const shorter = [await recorded(without(bars(1), bars(1).length - 1))];
  const { from } = searched.lockbox!;
  expect((await tried(shorter, path, { toMs: from - 10 * BAR_MS })).lockbox).toMatchObject({
    isSeen: false,
    seenBy: 0,
  });
  const opened = async (data: string, symbol: string, openLockbox: boolean) =>
    validate({
      file,
      params: { symbol },
      config,
      data: [data],
      seed: 1,
      walk: { mode: 'rolling', folds: 2, purgeMs: 0, embargoMs: 0 },
      lockboxShare: 0.2,
      openLockbox,
      workers: 1,
      trialTimeoutMs: 60_000,
      ledger: path,
      clock,
      stopped: () => false,
    });
  expect((await opened(renamed, 'XBTUSDT', true)).lockbox).toMatchObject({ openings: 1, seenBy: 0 });
  await tried([await recorded(bars(1, DAYS + 1))], path);
  const after = await opened(shorter[0]!, 'BTCUSDT', false);
  expect(after.lockbox).toMatchObject({ openings: 1, seenBy: 1 });
  expect(after.base.trialsOnData).toBeGreaterThan(TRIALS);
  const apart = await tried([await recorded(bars(2))], path, { toMs: from });
  expect(apart.lockbox).toMatchObject({ isSeen: false, seenBy: 0 });
});

it('parts are of bounded number, the same in whatever order rows come, and found again at any length', () => {
  const row = fc.record({ ms: fc.integer({ min: 0, max: 10 ** 10 }), hash: fc.integer({ min: 0, max: 2 ** 52 }) });
  const partsOf = (rows: readonly { ms: number; hash: number }[]) => {
    const draft = new PartsDraft();
    for (const { ms, hash } of rows) draft.put('BTCUSDT/trade', ms, hash);
    return draft.parts;
  };
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5000, size: 'max' }), (rows) => {
      const whole = partsOf(rows);
      expect(whole.series[0]!.at.length).toBeLessThanOrEqual(2048);
      expect(partsOf(rows.toReversed())).toEqual(whole);
      const sorted = rows.toSorted((a, b) => a.ms - b.ms);
      const half = sorted.slice(0, Math.ceil(sorted.length / 2));
      const both = joinedParts([partsOf(half), partsOf(sorted.slice(half.length))])();
      const all = { from: -Infinity, to: Infinity };
      const { at, least } = whole.series[0]!;
      const stored = { dataHash: 'whole', spanMs: whole.spanMs, parts: Float64Array.from([...at, ...least]) };
      expect([...sameDataOf(both, [stored], [all])]).toEqual(['whole']);
    }),
    { numRuns: 30 },
  );
});
