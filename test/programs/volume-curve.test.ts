/** The slices of a `vwap` follow the volume of earlier days, and those alone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VolumeDays } from '../../src/model/market/volume-days.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { run } from '../e2e/cli.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);

const candle = (openTime: number, intervalMs: number, volume: number) => ({
  symbol: 'BTCUSDT',
  openTime,
  intervalMs,
  volume,
  closed: true,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
});

describe('volumes of earlier days', () => {
  it('are the mean of up to seven days that are known in full, as a slow count has it', () => {
    const interval = fc.constantFrom(5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS);
    const lost = fc.array(fc.nat(9 * 24), { maxLength: 6 });
    const part = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(
        interval,
        lost,
        fc.nat(DAY_MS),
        part,
        fc.integer({ min: 1, max: 7 }),
        (each, holes, at, parts, hours) => {
          const days = new VolumeDays();
          const known = new Map<number, number>();
          for (let index = 0; index < (8 * DAY_MS) / each; index++) {
            if (holes.includes(Math.floor((index * each) / HOUR_MS))) continue;
            const volume = 1 + ((index * 37) % 101);
            known.set(START_MS + index * each, volume);
            days.remember([candle(START_MS + index * each, each, volume)]);
          }
          const from = START_MS + 8 * DAY_MS + Math.floor(at / 1000) * 1000;
          const over = hours * HOUR_MS;
          // Second by second.
          const step = 1000;
          const means = Array.from({ length: parts }, () => 0);
          let counted = 0;
          for (let back = 1; counted < 7 && from - back * DAY_MS >= START_MS - DAY_MS; back++) {
            const sums = means.map(() => 0);
            let isWhole = true;
            for (let ms = 0; ms < over && isWhole; ms += step) {
              const time = from - back * DAY_MS + ms;
              const volume = known.get(Math.floor(time / each) * each);
              if (volume === undefined) isWhole = false;
              else sums[Math.min(parts - 1, Math.floor((ms * parts) / over))]! += (volume * step) / each;
            }
            if (!isWhole) continue;
            counted++;
            sums.forEach((sum, index) => (means[index]! += sum));
          }
          const curve = days.curve(from, over, parts);
          if (counted === 0) expect(curve).toBeNull();
          else {
            const expected = means.map((sum) => sum / counted);
            // A second on a border falls into one part here, and into both there.
            curve!.forEach((value, index) =>
              expect(Math.abs(value - expected[index]!)).toBeLessThan((2 * 102 * step) / each),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('take no candle that has not closed, no interval that does not divide a day, and nothing of today', () => {
    const days = new VolumeDays();
    days.remember([{ ...candle(START_MS, HOUR_MS, 5), closed: false }, candle(START_MS, 7 * MINUTE_MS, 5)]);
    days.remember([candle(START_MS + DAY_MS, HOUR_MS, 9)]);
    expect(days.curve(START_MS + DAY_MS, HOUR_MS, 2)).toBeNull();
    expect(days.curve(START_MS + 2 * DAY_MS, HOUR_MS, 2)).toEqual([4.5, 4.5]);
  });
});

const WORKS = `
import { defineStrategy, vwap, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'works',
  params: z.object({ warm: z.number().int().default(0), at: z.string().default('26h') }),
  warmup: ({ warm }) => (warm === 0 ? [] : [{ symbol: 'BTCUSDT', interval: '1h', candles: warm }]),
  setup: ({ clock, params }) =>
    clock.every(params.at).pipe(
      take(1),
      map(() => vwap({ symbol: 'BTCUSDT', side: 'buy', quantity: '1.5', over: '5h', slices: 5, urgency: 'high' })),
    ),
});
`;

/** From one to five o'clock the volume of an hour is 1, 2, 4, 2 and 1 in an hour's minute; today's is another one. */
const SHAPE = new Map([1, 2, 4, 2, 1].map((weight, index) => [2 + index, weight]));

describe('vwap without a curve', () => {
  let folder = '';
  const backtest = async (...args: readonly string[]): Promise<BacktestResult> => {
    const ended = await run(['backtest', 'works.ts', '--data', 'bars', '--result', 'result.json', ...args], {
      cwd: folder,
    });
    expect(ended.code, ended.stderr).toBe(0);
    return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as BacktestResult;
  };
  const byHour = ({ fills }: BacktestResult): readonly number[] => {
    const sums = new Map<number, number>();
    for (const { ts, quantity } of fills) {
      const hour = Math.floor((ts - START_MS) / HOUR_MS);
      sums.set(hour, (sums.get(hour) ?? 0) + Number(quantity));
    }
    return [...sums.values()].map((sum) => Math.round(sum * 100) / 100);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidewire-volumes-'));
    const rows = Array.from({ length: (3 * DAY_MS) / MINUTE_MS }, (_, minute) => {
      const hour = Math.floor(minute / 60);
      const volume = hour < 24 ? 100 * (SHAPE.get(hour % 24) ?? 3) : 700;
      return [START_MS + minute * MINUTE_MS, 50_000, 50_010, 49_990, 50_000, volume].join(',');
    });
    writeFileSync(join(folder, 'bars.csv'), ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
    writeFileSync(join(folder, 'works.ts'), WORKS);
    const kind = ['--symbol', 'BTCUSDT', '--interval', '1m', '--out', 'bars'];
    const made = await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind], { cwd: folder });
    expect(made.code, made.stderr).toBe(0);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has equal slices while no earlier day is known, and says so', async () => {
    const result = await backtest('--param', 'at=2h');
    expect(byHour(result)).toEqual([0.3, 0.3, 0.3, 0.3, 0.3]);
    expect(result.notes).toMatchObject([{ text: expect.stringContaining('no volume of an earlier day is known') }]);
  });

  it('follows the day before, which the warmup brought', async () => {
    const from = new Date(START_MS + DAY_MS).toISOString();
    const result = await backtest('--from', from, '--param', 'at=2h', '--param', 'warm=24');
    expect(byHour(result)).toEqual([0.15, 0.3, 0.6, 0.3, 0.15]);
    expect(result.notes).toEqual([]);
  });
});
