/**
 * A candle that reached as far above the one before as below it counted as a move up and as a move down in `adx`, `dx` and
 * their lines. Wilder's counts neither.
 */
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.ts';
import { indicators } from '../../src/strategy/indicators/indicators.ts';

const N = 14;

/** In steps of 1, so that moves are often the same. */
function candles(count: number): { readonly high: number; readonly low: number; readonly close: number }[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, () => {
    const close = 100 + Math.floor(random.next() * 8);
    return { high: close + Math.floor(random.next() * 4), low: close - Math.floor(random.next() * 4), close };
  });
}

function wilder(values: readonly number[]): number[] {
  let average = 0;
  return values.map((value, index) => {
    average = index < N ? average + value / N : average + (value - average) / N;
    return average;
  });
}

it('indicators/moves-as-far-up-as-down: count on neither side', () => {
  const bars = candles(400);
  const rows = bars.map((bar, index) => {
    const before = bars[index - 1];
    if (before === undefined) return { up: 0, down: 0, range: bar.high - bar.low };
    const [rise, fall] = [bar.high - before.high, before.low - bar.low];
    const range = Math.max(bar.high, before.close) - Math.min(bar.low, before.close);
    return { up: rise > fall ? Math.max(0, rise) : 0, down: fall > rise ? Math.max(0, fall) : 0, range };
  });
  const equal = bars.filter((bar, i) => i > 0 && bar.high - bars[i - 1]!.high === bars[i - 1]!.low - bar.low);
  expect(equal.length).toBeGreaterThan(20);
  const [up, down, range] = [
    wilder(rows.map((r) => r.up)),
    wilder(rows.map((r) => r.down)),
    wilder(rows.map((r) => r.range)),
  ];
  const [adx, dx] = [indicators.adx(N), indicators.dx(N)];
  const got = bars.map((bar) => ({ lines: adx.next(bar), dx: dx.next(bar) }));
  for (let i = 2 * N; i < bars.length; i++) {
    expect(got[i]?.lines?.plusDi).toBeCloseTo((100 * up[i]!) / range[i]!, 9);
    expect(got[i]?.lines?.minusDi).toBeCloseTo((100 * down[i]!) / range[i]!, 9);
    expect(got[i]?.dx).toBeCloseTo((100 * Math.abs(up[i]! - down[i]!)) / (up[i]! + down[i]!), 9);
  }
});
