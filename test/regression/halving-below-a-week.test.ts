/**
 * A search by halving for an annualised objective, whose first parts of the data were too short to annualise, kept the
 * trials with the lowest numbers and said nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../src/model/random.ts';
import { importRecording } from '../../src/recording/importers/import.ts';
import { spaceSchema } from '../../src/research/sweep/space.ts';
import { sweep } from '../../src/research/sweep/sweep.ts';
import type { SweepResult } from '../../src/research/sweep/result.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { freshDir } from '../recording/fixtures.ts';

const BAR_MS = 900_000;
const START_MS = Date.UTC(2025, 0, 1);
const DAYS = 10;

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

let file = '';
let data = '';

beforeAll(async () => {
  const folder = freshDir();
  file = join(folder, 'every.ts');
  writeFileSync(file, STRATEGY);
  const random = seededRandom(1);
  let close = 50_000;
  const lines = Array.from({ length: (DAYS * 86_400_000) / BAR_MS }, (_, index) => {
    const open = close;
    close = open * (1 + 0.002 * normal(random));
    const prices = [open, 1.0001 * Math.max(open, close), 0.9999 * Math.min(open, close), close];
    return [START_MS + index * BAR_MS, ...prices.map((price) => price.toFixed(2)), '1000'].join(',');
  });
  const bars = join(folder, 'bars.csv');
  writeFileSync(bars, ['timestamp,open,high,low,close,volume', ...lines].join('\n'));
  data = join(folder, 'recording');
  const asked = { symbols: ['BTCUSDT'], market: 'spot', intervalMs: BAR_MS } as const;
  await importRecording({ format: 'candles-csv', files: [bars], out: data, now: START_MS, ...asked });
});

async function search(metric: string): Promise<SweepResult> {
  return sweep({
    file,
    fixed: {},
    config: configSchema.parse({ account: { start: { USDT: '1000000' } } }),
    data: [data],
    space: spaceSchema.parse({
      parameters: { every: { from: 2, to: 10, integer: true, step: 1 } },
      objectives: [{ metric }],
    }),
    method: 'grid',
    seed: 1,
    halving: true,
    lockboxShare: 0,
    workers: 1,
    trialTimeoutMs: 60_000,
    ledger: join(freshDir(), 'trials.db'),
    clock: createSystemClock(),
    stopped: () => false,
  });
}

const kept = ({ trials }: SweepResult): readonly (readonly [number, number])[] =>
  trials.map(({ number, share }) => [number, share] as const);
const ofHalving = ({ warnings }: SweepResult): readonly string[] => warnings.filter((text) => text.includes('halving'));

describe('research/sweep/halving', () => {
  it.each([
    ['sharpe', 'sharpePerPeriod'],
    ['cagr', 'returnPct'],
  ])('on parts too short to annualise %s compares by %s', async (annualised, perPeriod) => {
    const [found, expected] = [await search(annualised), await search(perPeriod)];
    expect(kept(found)).toEqual(kept(expected));
    expect(kept(found).filter(([, share]) => share === 1)).not.toEqual([[0, 1]]);
    expect(found.counts).toMatchObject({ done: 1, pruned: 8 });
    expect(ofHalving(found)).toEqual([]);
  });

  it('prunes nothing where no trial has a value, and says so once', async () => {
    const found = await search('calmar');
    expect(found.trials.map(({ reason }) => reason)).toEqual(Array.from({ length: 9 }, () => null));
    expect(found.counts).toMatchObject({ done: 9, pruned: 0 });
    expect(ofHalving(found)).toEqual([
      '--halving pruned nothing on the first 11 % and the first 33 % of the data: no trial has a value for calmar ' +
        'there (too little data, or no trades)',
    ]);
  });
});
