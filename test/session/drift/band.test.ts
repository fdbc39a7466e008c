/** The band of a validation: what is read of it, when a session is judged by it, and what leaving it does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.ts';
import { silentLogger, type Logger } from '../../../src/model/ports.ts';
import { BandJudge, readBand, type Band } from '../../../src/session/drift/band.ts';
import { guardOf } from '../../../src/session/drift/band-guard.ts';
import { watchBand } from '../../../src/session/drift/band-watch.ts';
import { bootstrapBands } from '../../../src/statistics/overfitting/bootstrap-bands.ts';
import { HandClock, START } from '../../execution/rig.ts';
import { freshDir } from '../../recording/fixtures.ts';

const HOUR = 3_600_000;

function fileOf(value: object | string): string {
  const file = join(freshDir(), 'validation.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

/** As `validate` writes it, with a band of real resamples. */
function validation(): object {
  const random = seededRandom(3);
  const returns = Float64Array.from({ length: 48 }, () => (random.next() - 0.48) / 100);
  return {
    command: 'validate',
    strategy: 'spread-maker',
    params: { symbol: 'BTCUSDT' },
    base: { sampleMs: HOUR, periods: 48 },
    bands: bootstrapBands(returns, random, 200),
    wallMs: 12,
  };
}

const band: Band = {
  strategy: 'maker',
  params: {},
  stops: [
    { afterMs: HOUR, low: 0.98, high: 1.02 },
    { afterMs: 2 * HOUR, low: 0.97, high: 1.05 },
    { afterMs: 3 * HOUR, low: 0.96, high: 1.06 },
  ],
};

describe('a band', () => {
  it('is read out of the result of a validation, by time', () => {
    const read = readBand(fileOf(validation()));
    expect(read.stops).toHaveLength(48);
    expect(read.stops[47]?.afterMs).toBe(48 * HOUR);
    for (const { low, high } of read.stops) expect(low).toBeLessThan(high);
  });

  it.each([
    ['{', 'JSON'],
    [{ command: 'sweep' }, 'no result of validate'],
    [{ ...validation(), bands: { skipped: '3 returns are too few' } }, '3 returns are too few'],
  ])('that cannot be used says why (%#)', (value, why) => {
    expect(() => readBand(fileOf(value))).toThrow(why);
  });

  it('judges once at each stop, by the newest that has passed', () => {
    const looks = fc.array(
      fc.record({
        ms: fc.integer({ min: 1, max: HOUR }),
        growth: fc.option(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { nil: null }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(looks, (steps) => {
        const judge = new BandJudge(band);
        let elapsed = 0;
        const judged = new Set<number>();
        for (const { ms, growth } of steps) {
          elapsed += ms;
          const passed = band.stops.filter(({ afterMs }) => afterMs <= elapsed).at(-1);
          const found = judge.look(elapsed, () => growth);
          const isDue = passed !== undefined && growth !== null && ![...judged].some((at) => at >= passed.afterMs);
          expect(found?.stop).toEqual(isDue ? passed : undefined);
          if (found === null || growth === null) continue;
          judged.add(found.stop.afterMs);
          const { low, high } = found.stop;
          expect(found.standing).toBe(growth < low ? 'below' : growth > high ? 'above' : 'inside');
        }
      }),
    );
  });
});

describe('a session', () => {
  it('is told to have left the band once, until it was inside again, and no more when the band ends', () => {
    const clock = new HandClock();
    const told: string[] = [];
    const lines: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_fields, text = '') => void lines.push(text) };
    let netPnl: number | null = null;
    watchBand({
      band,
      clock,
      startedAt: START,
      capital: () => 10_000,
      netPnl: () => netPnl,
      logger,
      left: (standing, message) => void told.push(`${standing}: ${message}`),
    });
    clock.advance(HOUR);
    expect(told).toEqual([]);
    netPnl = -300;
    clock.advance(2_000);
    expect(told).toEqual([
      'below: the result is -3.00 % after 1.0 h, below the band of the validation (-2.00 % to 2.00 %)',
    ]);
    clock.advance(HOUR);
    expect(told).toHaveLength(1);
    expect(lines).toEqual([
      'back in the band: the result is -3.00 % after 2.0 h, within the band of the validation (-3.00 % to 5.00 %)',
    ]);
    netPnl = 700;
    clock.advance(HOUR);
    expect(told).toHaveLength(2);
    expect(told[1]).toContain('above: the result is 7.00 % after 3.0 h');
    netPnl = -9_000;
    clock.advance(10 * HOUR);
    expect(told).toHaveLength(2);
    expect(lines.at(-1)).toContain('compared no more');
    expect(lines).toHaveLength(2);
  });

  it('has a band of its own strategy alone, and is warned of other parameters', () => {
    const file = fileOf(validation());
    const of = (name: string, params: object) => ({ tag: 'tag', params, loaded: { definition: { name } } }) as never;
    const entry = { band: { validation: file, action: 'pause' } } as const;
    const guard = guardOf([entry], [of('spread-maker', { symbol: 'BTCUSDT' })]);
    expect(guard).toMatchObject({ action: 'pause', tag: 'tag', warnings: [] });
    expect(guardOf([entry], [of('spread-maker', { symbol: 'ETHUSDT' })])?.warnings).toHaveLength(1);
    expect(() => guardOf([entry], [of('other', {})])).toThrow('validates spread-maker, not other');
    expect(() => guardOf([entry, {}], [of('spread-maker', {}), of('b', {})])).toThrow('several');
    expect(guardOf([{}], [of('spread-maker', {})])).toBe(null);
  });
});
