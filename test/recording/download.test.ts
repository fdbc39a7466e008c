/** Pages and gaps of a download, and that its bytes do not depend on how it came. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downloadBars, type BarRequest, type ListedBar } from '../../src/recording/download/download.ts';
import { GapFinder, PAGE_BARS, pagesOf } from '../../src/recording/download/pages.ts';
import { BTC } from '../execution/rig.ts';
import { freshDir } from './fixtures.ts';

const MINUTE = 60_000;
const T0 = Date.parse('2026-01-05T00:00:00Z');

function bar(minute: number): ListedBar {
  const price = 60_000 + ((minute * 7919) % 100) / 100;
  const at = { open: price, high: price + 1.5, low: price - 0.01, close: price + 0.25 };
  return { openTime: T0 + minute * MINUTE, ...at, volume: 0.00001 * (minute + 1), closed: true };
}

/** A list that keeps back all but the newest `cap`, as exchanges do. */
function listOf(bars: readonly ListedBar[], cap: number, seen: BarRequest[] = []) {
  return async (request: BarRequest): Promise<readonly ListedBar[]> => {
    seen.push(request);
    const { from, to, limit } = request;
    return bars.filter(({ openTime }) => openTime >= from && openTime <= to).slice(-Math.min(limit, cap));
  };
}

interface Given {
  readonly out: string;
  readonly minutes: number;
  readonly list: (request: BarRequest) => Promise<readonly ListedBar[]>;
}

function download({ out, minutes, list }: Given) {
  const to = T0 + minutes * MINUTE;
  return downloadBars({
    asked: { exchange: 'test', symbols: ['BTCUSDT'], interval: '1m', from: T0, to },
    intervalMs: MINUTE,
    instruments: [BTC],
    out,
    now: to + MINUTE,
    compress: true,
    list,
  });
}

function bytesOf(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name)).toString('base64')]));
}

describe('pages', () => {
  it('cover every closed bar of the period once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 * MINUTE }),
        fc.integer({ min: 0, max: 5000 * MINUTE }),
        (offset, length) => {
          const [from, to] = [T0 + offset, T0 + offset + length];
          const opens = pagesOf(['A'], from, to, MINUTE).flatMap((page) => {
            const bars = (page.to - page.from) / MINUTE + 1;
            expect(bars).toBeLessThanOrEqual(PAGE_BARS);
            return Array.from({ length: bars }, (_, index) => page.from + index * MINUTE);
          });
          const expected: number[] = [];
          for (let at = Math.ceil(from / MINUTE) * MINUTE; at + MINUTE <= to; at += MINUTE) expected.push(at);
          expect(opens).toEqual(expected);
        },
      ),
    );
  });

  it('know what is missing at the start, between and at the end', () => {
    const finder = new GapFinder(T0, T0 + 9 * MINUTE, MINUTE);
    for (const minute of [2, 3, 6]) finder.bar(T0 + minute * MINUTE);
    finder.end();
    const at = (minute: number): number => T0 + minute * MINUTE;
    expect(finder.gaps).toEqual([
      { from: at(0), to: at(1), bars: 2 },
      { from: at(4), to: at(5), bars: 2 },
      { from: at(7), to: at(9), bars: 3 },
    ]);
  });
});

describe('a download', () => {
  it('has the same bytes whatever the list keeps back, and wherever it was begun anew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 2000 }),
        fc.array(fc.integer({ min: 0, max: 2199 }), { maxLength: 5 }),
        fc.integer({ min: 0, max: 12 }),
        async (cap, missing, dies) => {
          const bars = Array.from({ length: 2200 }, (_, minute) => bar(minute)).filter(
            (_, at) => !missing.includes(at),
          );
          const whole = join(freshDir(), 'rec');
          const plain = await download({ out: whole, minutes: 2200, list: listOf(bars, PAGE_BARS) });
          expect(plain.symbols['BTCUSDT']).toMatchObject({ bars: bars.length, missing: 2200 - bars.length });
          const out = join(freshDir(), 'rec');
          let left = dies;
          const list = listOf(bars, cap);
          const dying = (request: BarRequest): Promise<readonly ListedBar[]> =>
            left-- > 0 ? list(request) : Promise.reject(new Error('the process died'));
          await download({ out, minutes: 2200, list: dying }).catch(() => undefined);
          const again = await download({ out, minutes: 2200, list });
          expect(again.symbols).toEqual(plain.symbols);
          expect(bytesOf(out)).toEqual(bytesOf(whole));
        },
      ),
      { numRuns: 12 },
    );
  });

  it('asks for no page twice, takes no bar that is not closed, and refuses to go on with another one', async () => {
    const bars = Array.from({ length: 1500 }, (_, minute) => ({ ...bar(minute), closed: minute < 1490 }));
    const out = join(freshDir(), 'rec');
    const seen: BarRequest[] = [];
    const first = listOf(bars, PAGE_BARS, seen);
    const dying = (request: BarRequest): Promise<readonly ListedBar[]> =>
      seen.length < 1 ? first(request) : Promise.reject(new Error('the process died'));
    await expect(download({ out, minutes: 1500, list: dying })).rejects.toThrow('the process died');
    await expect(download({ out, minutes: 1400, list: first })).rejects.toMatchObject({ code: 'recording_exists' });
    seen.length = 0;
    const done = await download({ out, minutes: 1500, list: first });
    expect(seen[0]?.from).toBe(T0 + PAGE_BARS * MINUTE);
    expect(done).toMatchObject({ pages: 2, kept: 1 });
    expect(done.symbols['BTCUSDT']).toMatchObject({ bars: 1490, missing: 10 });
    expect(readdirSync(join(out, '..'))).toEqual(['rec']);
  });

  it('of nothing says so and leaves nothing', async () => {
    const out = join(freshDir(), 'rec');
    await expect(download({ out, minutes: 10, list: listOf([], 10) })).rejects.toMatchObject({
      code: 'recording_empty',
    });
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });
});
