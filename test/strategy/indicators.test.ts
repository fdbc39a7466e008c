/**
 * The indicators against TA-Lib's definitions, written out plainly below, on a seeded walk; and against published
 * numbers. TA-Lib seeds some recursions with an average where the library takes the first value: those are compared
 * after the warm-up that makes the seed vanish, the rest from the first value on.
 */
import { describe, expect, test } from 'vitest';
import { normal, seededRandom } from '../../src/model/random.ts';
import { indicators } from '../../src/strategy/indicators/indicators.ts';
import type { Indicator } from '../../src/strategy/indicators/indicator.ts';

interface Bar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

function walk(count: number): readonly Bar[] {
  const random = seededRandom(42);
  let close = 100;
  return Array.from({ length: count }, () => {
    const open = close;
    close = Math.max(1, open * (1 + 0.01 * normal(random)));
    const high = Math.max(open, close) * (1 + 0.003 * random.next());
    const low = Math.min(open, close) * (1 - 0.003 * random.next());
    return { high, low, close, volume: random.next() };
  });
}

const bars = walk(1200);
const closes = bars.map((bar) => bar.close);
type Series = readonly (number | undefined)[];

function run<In, Out>(indicator: Indicator<Out, In>, inputs: readonly In[]): readonly (Out | undefined)[] {
  return inputs.map((input) => indicator.next(input));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rolling(values: readonly number[], n: number, of: (window: readonly number[]) => number): Series {
  return values.map((_, index) => (index + 1 < n ? undefined : of(values.slice(index + 1 - n, index + 1))));
}

/** Seeded with the simple average of the first n values, as TA-Lib does. */
function smoothed(values: Series, n: number, alpha: number): Series {
  const first = values.findIndex((value) => value !== undefined);
  let last: number | undefined;
  return values.map((value, index) => {
    if (index < first + n - 1) return undefined;
    const seed = values.slice(first, first + n) as readonly number[];
    last = last === undefined ? mean(seed) : last + alpha * ((value ?? 0) - last);
    return last;
  });
}

const ema = (values: Series, n: number): Series => smoothed(values, n, 2 / (n + 1));
const wilder = (values: Series, n: number): Series => smoothed(values, n, 1 / n);

function minus(a: Series, b: Series): Series {
  return a.map((value, index) => {
    const other = b[index];
    return value === undefined || other === undefined ? undefined : value - other;
  });
}

function trueRanges(): Series {
  return bars.map((bar, index) => {
    const before = bars[index - 1]?.close;
    return before === undefined ? undefined : Math.max(bar.high, before) - Math.min(bar.low, before);
  });
}

function moves(direction: 1 | -1): Series {
  return bars.map((bar, index) => {
    const before = bars[index - 1];
    if (before === undefined) return undefined;
    const up = bar.high - before.high;
    const down = before.low - bar.low;
    const [own, other] = direction === 1 ? [up, down] : [down, up];
    return own > other && own > 0 ? own : 0;
  });
}

function divide(a: Series, b: Series): Series {
  return a.map((value, index) => {
    const other = b[index];
    return value === undefined || other === undefined ? undefined : (100 * value) / other;
  });
}

/** Compares from `after` on; both must be there. */
function same(got: Series, expected: Series, after: number): void {
  for (let index = after; index < got.length; index++) {
    expect(got[index], `value ${index}`).toBeDefined();
    expect(got[index] ?? Number.NaN, `value ${index}`).toBeCloseTo(expected[index] ?? Number.NaN, 8);
  }
}

function firstValue(series: readonly unknown[]): number {
  return series.findIndex((value) => value !== undefined);
}

describe('windows agree from the first value on', () => {
  test('sma, wma, stdev, highest, lowest, roc', () => {
    const weighted = (window: readonly number[]): number => {
      const weight = (window.length * (window.length + 1)) / 2;
      return window.reduce((sum, value, index) => sum + value * (index + 1), 0) / weight;
    };
    const deviation = (window: readonly number[]): number =>
      Math.sqrt(mean(window.map((value) => (value - mean(window)) ** 2)));
    same(run(indicators.sma(20), closes), rolling(closes, 20, mean), 19);
    same(run(indicators.wma(20), closes), rolling(closes, 20, weighted), 19);
    same(run(indicators.stdev(20), closes), rolling(closes, 20, deviation), 19);
    same(
      run(indicators.highest(7), closes),
      rolling(closes, 7, (window) => Math.max(...window)),
      6,
    );
    same(
      run(indicators.lowest(7), closes),
      rolling(closes, 7, (window) => Math.min(...window)),
      6,
    );
    same(
      run(indicators.roc(10), closes),
      rolling(closes, 11, (window) => (window[10] ?? 0) / (window[0] ?? 1) - 1),
      10,
    );
    for (const series of [
      run(indicators.sma(20), closes),
      run(indicators.wma(20), closes),
      run(indicators.stdev(20), closes),
    ]) {
      expect(firstValue(series)).toBe(19);
    }
  });

  test('bollinger', () => {
    const deviation = (window: readonly number[]): number =>
      Math.sqrt(mean(window.map((value) => (value - mean(window)) ** 2)));
    const bands = run(indicators.bollinger(20, 2), closes);
    same(
      bands.map((band) => band?.middle),
      rolling(closes, 20, mean),
      19,
    );
    same(
      bands.map((band) => band?.upper),
      rolling(closes, 20, (window) => mean(window) + 2 * deviation(window)),
      19,
    );
    same(
      bands.map((band) => band?.lower),
      rolling(closes, 20, (window) => mean(window) - 2 * deviation(window)),
      19,
    );
  });

  test('stochastic: %K smoothed over 3, %D over 3 of those', () => {
    const raw = bars.map((bar, index) => {
      if (index < 13) return undefined;
      const window = bars.slice(index - 13, index + 1);
      const low = Math.min(...window.map((item) => item.low));
      const high = Math.max(...window.map((item) => item.high));
      return (100 * (bar.close - low)) / (high - low);
    });
    const over = (values: Series, n: number): Series =>
      values.map((_, index) => {
        const window = values.slice(index + 1 - n, index + 1).filter((value): value is number => value !== undefined);
        return index + 1 < n || window.length < n ? undefined : mean(window);
      });
    const got = run(indicators.stochastic(14, 3, 3), bars);
    expect(firstValue(got)).toBe(17);
    same(
      got.map((value) => value?.k),
      over(raw, 3),
      17,
    );
    same(
      got.map((value) => value?.d),
      over(over(raw, 3), 3),
      17,
    );
  });

  test('cci', () => {
    const typical = bars.map((bar) => (bar.high + bar.low + bar.close) / 3);
    const expected = rolling(typical, 20, (window) => {
      const middle = mean(window);
      return ((window.at(-1) ?? 0) - middle) / (0.015 * mean(window.map((value) => Math.abs(value - middle))));
    });
    same(run(indicators.cci(20), bars), expected, 19);
  });

  test('vwap, which candles without volume leave as it is', () => {
    const vwap = indicators.vwap();
    expect(vwap.next({ high: 1, low: 1, close: 1, volume: 0 })).toBeUndefined();
    expect(vwap.next({ high: 12, low: 8, close: 10, volume: 1 })).toBe(10);
    expect(vwap.next({ high: 24, low: 16, close: 20, volume: 3 })).toBe(17.5);
    expect(vwap.next({ high: 99, low: 99, close: 99, volume: 0 })).toBe(17.5);
  });
});

describe("recursions agree after TA-Lib's warm-up", () => {
  const settled = 700;

  test('rma and rsi are seeded as TA-Lib does: from the first value on', () => {
    same(run(indicators.rma(14), closes), wilder(closes, 14), 13);
    const changes = closes.map((close, index) => (index === 0 ? undefined : close - (closes[index - 1] ?? 0)));
    const up = wilder(
      changes.map((change) => (change === undefined ? undefined : Math.max(change, 0))),
      14,
    );
    const down = wilder(
      changes.map((change) => (change === undefined ? undefined : Math.max(-change, 0))),
      14,
    );
    const expected = up.map((gain, index) =>
      gain === undefined ? undefined : 100 - 100 / (1 + gain / (down[index] ?? 1)),
    );
    const got = run(indicators.rsi(14), closes);
    expect(firstValue(got)).toBe(14);
    same(got, expected, 14);
  });

  test('ema, dema and macd', () => {
    same(run(indicators.ema(26), closes), ema(closes, 26), settled);
    expect(firstValue(run(indicators.ema(26), closes))).toBe(25);
    const one = ema(closes, 26);
    const two = ema(one, 26);
    same(
      run(indicators.dema(26), closes),
      one.map((value, index) => (value === undefined ? undefined : 2 * value - (two[index] ?? 0))),
      settled,
    );
    const line = minus(ema(closes, 12), ema(closes, 26));
    const signal = ema(line, 9);
    const got = run(indicators.macd(12, 26, 9), closes);
    expect(firstValue(got)).toBe(33);
    same(
      got.map((value) => value?.macd),
      line,
      settled,
    );
    same(
      got.map((value) => value?.signal),
      signal,
      settled,
    );
    same(
      got.map((value) => value?.histogram),
      minus(line, signal),
      settled,
    );
  });

  test('atr and adx', () => {
    same(run(indicators.atr(14), bars), wilder(trueRanges(), 14), settled);
    const range = wilder(trueRanges(), 14);
    const plus = divide(wilder(moves(1), 14), range);
    const minusDi = divide(wilder(moves(-1), 14), range);
    const dx = plus.map((value, index) => {
      const other = minusDi[index];
      return value === undefined || other === undefined ? undefined : (100 * Math.abs(value - other)) / (value + other);
    });
    const got = run(indicators.adx(14), bars);
    expect(firstValue(got)).toBe(26);
    same(
      got.map((value) => value?.plusDi),
      plus,
      settled,
    );
    same(
      got.map((value) => value?.minusDi),
      minusDi,
      settled,
    );
    same(
      got.map((value) => value?.adx),
      wilder(dx, 14),
      settled,
    );
  });
});

test('rsi against the published worked example', () => {
  const prices = [
    44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614,
    46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548,
    44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
  ];
  const published = [
    70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87, 45.46,
    37.3, 33.08, 37.77,
  ];
  const got = run(indicators.rsi(14), prices).slice(14);
  expect(got).toHaveLength(published.length);
  for (const [index, value] of published.entries()) expect(Math.abs((got[index] ?? 0) - value)).toBeLessThan(0.011);
});

describe('edges', () => {
  test('rsi of a price that never moved is neutral', () => {
    const flat = run(indicators.rsi(3), [5, 5, 5, 5, 5]);
    expect(flat).toEqual([undefined, undefined, undefined, 50, 50]);
    expect(run(indicators.rsi(2), [1, 2, 3])[2]).toBe(100);
  });

  /** As candles are while nobody trades. */
  const still = (count: number, price: number): readonly Bar[] =>
    Array.from({ length: count }, () => ({ high: price, low: price, close: price, volume: 0 }));

  test('adx and its lines are zero while nothing has moved, and those of what moves afterwards', () => {
    const quiet = still(40, 0.1);
    const got = run(indicators.adx(14), [...quiet, ...bars]);
    expect(got[26]).toEqual({ adx: 0, plusDi: 0, minusDi: 0 });
    expect(got[39]).toEqual({ adx: 0, plusDi: 0, minusDi: 0 });
    const moving = run(indicators.adx(14), bars);
    expect(got.at(-1)?.adx).toBeCloseTo(moving.at(-1)?.adx ?? Number.NaN, 9);
  });

  test('cci is zero while the price stands still, whatever the rounding of its mean', () => {
    for (const price of [0.1, 5, 0.7, 60_000.1]) {
      expect(run(indicators.cci(20), still(30, price)).slice(18)).toEqual([
        undefined,
        ...Array.from({ length: 11 }, () => 0),
      ]);
    }
  });

  test('value is what next answered last', () => {
    const sma = indicators.sma(2);
    expect(sma.value).toBeUndefined();
    sma.next(1);
    expect(sma.value).toBeUndefined();
    expect(sma.next(3)).toBe(2);
    expect(sma.value).toBe(2);
  });

  test('a period that is no whole number of at least 1 is refused', () => {
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      expect(() => indicators.ema(bad)).toThrow(expect.objectContaining({ code: 'strategy_definition' }));
    }
    expect(() => indicators.rsi(1)).toThrow(/at least 2/);
  });
});
