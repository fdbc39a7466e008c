/** Indicators from papers: streaming equals a plain batch reading of the formula, and every finite input gives a finite value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indicators } from '../../src/strategy/indicators/indicators.ts';

const N = 4;
const step = fc.integer({ min: 0, max: 8 });
const bar = fc
  .record({ low: fc.integer({ min: 1, max: 30 }), up: step, from: step, to: step, volume: step })
  .map(({ low, up, from, to, volume }) => ({
    low,
    high: low + up,
    open: low + (up * from) / 8,
    close: low + (up * to) / 8,
    volume,
  }));
const bars = fc.array(bar, { minLength: 1, maxLength: 40 });
const trade = fc.record({
  price: fc.integer({ min: 1, max: 9 }),
  quantity: fc.integer({ min: 1, max: 60 }).map((eighths) => eighths / 8),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
});
const trades = fc.array(trade, { minLength: 1, maxLength: 60 });
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

type Reading = Readonly<Record<string, number | string>> | number | undefined;

/** `batch` reads all inputs so far at once; undefined while not warm. */
function agrees<In>(
  made: () => { next(input: In): unknown },
  inputs: fc.Arbitrary<In[]>,
  batch: (seen: readonly In[]) => Reading,
): void {
  fc.assert(
    fc.property(inputs, (all) => {
      const indicator = made();
      for (const [index, input] of all.entries()) {
        const got = indicator.next(input);
        const expected = batch(all.slice(0, index + 1));
        if (expected === undefined) {
          expect(got, `input ${index}`).toBeUndefined();
          continue;
        }
        const fields = typeof expected === 'number' ? { value: expected } : expected;
        const read = typeof expected === 'number' ? { value: got } : got;
        for (const [name, value] of Object.entries(fields)) {
          const own = (read as Record<string, number | string | undefined>)[name];
          if (typeof value === 'string') expect(own, `${name} ${index}`).toBe(value);
          else expect(Math.abs(Number(own) - value), `${name} ${index}`).toBeLessThan(1e-9);
        }
      }
    }),
  );
}

test('indicators/supertrend/bands never give way while the close stays within', () => {
  agrees(
    () => indicators.supertrend(N, 1),
    bars,
    (seen) => {
      if (seen.length < N) return undefined;
      const ranges = seen.map(({ high, low }, i) => {
        const before = seen[i - 1]?.close ?? high;
        return i === 0 ? high - low : Math.max(high, before) - Math.min(low, before);
      });
      const atr = ranges.map((_, i) =>
        ranges.slice(N, i + 1).reduce((rma, next) => (rma * (N - 1) + next) / N, mean(ranges.slice(0, N))),
      );
      let [upper, lower, trend] = [Infinity, -Infinity, 'down'];
      for (let i = N - 1; i < seen.length; i++) {
        const { high, low, close } = seen[i] ?? { high: 0, low: 0, close: 0 };
        const before = i === N - 1 ? undefined : (seen[i - 1]?.close ?? 0);
        const above = (high + low) / 2 + (atr[i] ?? 0);
        const below = (high + low) / 2 - (atr[i] ?? 0);
        upper = before === undefined || before > upper ? above : Math.min(upper, above);
        lower = before === undefined || before < lower ? below : Math.max(lower, below);
        trend = trend === 'up' ? (close < lower ? 'down' : 'up') : close > upper ? 'up' : 'down';
      }
      return { line: trend === 'up' ? lower : upper, trend };
    },
  );
});

test('indicators/ichimoku/means of three windows', () => {
  agrees(
    () => indicators.ichimoku(2, 3, 5),
    bars,
    (seen) => {
      const middle = (n: number): number => {
        const last = seen.slice(-n);
        return (Math.max(...last.map(({ high }) => high)) + Math.min(...last.map(({ low }) => low))) / 2;
      };
      if (seen.length < 5) return undefined;
      return { conversion: middle(2), base: middle(3), spanA: (middle(2) + middle(3)) / 2, spanB: middle(5) };
    },
  );
});

test('indicators/parabolic-sar/on the far side of the price it follows', () => {
  fc.assert(
    fc.property(bars, (all) => {
      const sar = indicators.parabolicSar(0.1, 0.3);
      for (const [index, { high, low }] of all.entries()) {
        const got = sar.next({ high, low });
        if (index === 0) expect(got).toBeUndefined();
        else if (got?.trend === 'up') expect(got.line).toBeLessThanOrEqual(low);
        else expect(got?.line).toBeGreaterThanOrEqual(high);
      }
    }),
  );
});

/** Gauss elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    const best = rows
      .slice(k)
      .reduce((at, row, i) => (Math.abs(row[k] ?? 0) > Math.abs(rows[at]?.[k] ?? 0) ? k + i : at), k);
    [rows[k], rows[best]] = [rows[best] ?? [], rows[k] ?? []];
    for (let i = 0; i < n; i++) {
      const ratio = i === k ? 0 : (rows[i]?.[k] ?? 0) / (rows[k]?.[k] ?? 1);
      rows[i] = (rows[i] ?? []).map((value, j) => value - ratio * (rows[k]?.[j] ?? 0));
    }
  }
  return rows.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

const levels = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 12 });

test('indicators/kalman/the newest level of the least squares over all values at once', () => {
  const [drift, noise] = [0.5, 2];
  agrees(
    () => indicators.kalman(drift, noise),
    levels,
    (seen) => {
      // Minimum of Σ (value − level)² ÷ noise + Σ step² ÷ drift: a tridiagonal system.
      const system = seen.map((_, i) =>
        seen.map((__, j) => {
          if (i !== j) return Math.abs(i - j) === 1 ? -1 / drift : 0;
          return 1 / noise + (Number(i > 0) + Number(i < seen.length - 1)) / drift;
        }),
      );
      const level = solve(
        system,
        seen.map((value) => value / noise),
      ).at(-1);
      const unit = seen.map((_, i) => (i === seen.length - 1 ? 1 : 0));
      return { level: level ?? 0, deviation: Math.sqrt(solve(system, unit).at(-1) ?? 0) };
    },
  );
});

test('indicators/kalman-hedge/the posterior of a random walk of both coefficients, all pairs at once', () => {
  const [delta, noise] = [0.2, 0.5];
  const walk = delta / (1 - delta);
  const pairs = fc.array(fc.record({ x: fc.integer({ min: -5, max: 5 }), y: fc.integer({ min: -9, max: 9 }) }), {
    minLength: 1,
    maxLength: 10,
  });
  agrees(
    () => indicators.kalmanHedge(delta, noise),
    pairs,
    (seen) => {
      // y is Gaussian with covariance walk × min(s, t) × (x_s x_t + 1) + noise where s = t.
      const covariance = seen.map((a, i) =>
        seen.map((b, j) => walk * (Math.min(i, j) + 1) * (a.x * b.x + 1) + (i === j ? noise : 0)),
      );
      const weights = solve(
        covariance,
        seen.map(({ y }) => y),
      );
      const slope = sum(seen.map(({ x }, i) => walk * (i + 1) * x * (weights[i] ?? 0)));
      const intercept = sum(seen.map((_, i) => walk * (i + 1) * (weights[i] ?? 0)));
      const last = seen.length - 1;
      const old = covariance.slice(0, last).map((row) => row.slice(0, last));
      const cross = covariance[last]?.slice(0, last) ?? [];
      const gains = solve(old, cross);
      const predicted = sum(gains.map((gain, i) => gain * (seen[i]?.y ?? 0)));
      const variance = (covariance[last]?.[last] ?? 0) - sum(gains.map((gain, i) => gain * (cross[i] ?? 0)));
      const residual = (seen[last]?.y ?? 0) - predicted;
      return { slope, intercept, residual, deviation: Math.sqrt(variance), zScore: residual / Math.sqrt(variance) };
    },
  );
});

test('indicators/yang-zhang/three variances joined', () => {
  const variance = (values: readonly number[]): number =>
    sum(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1);
  agrees(
    () => indicators.yangZhang(N),
    bars,
    (seen) => {
      if (seen.length < N + 1) return undefined;
      const last = seen.slice(-N);
      const gaps = last.map(({ open }, i) => Math.log(open / (seen[seen.length - N + i - 1]?.close ?? open)));
      const days = last.map(({ open, close }) => Math.log(close / open));
      const ranges = last.map(
        ({ open, high, low, close }) =>
          Math.log(high / close) * Math.log(high / open) + Math.log(low / close) * Math.log(low / open),
      );
      const k = 0.34 / (1.34 + (N + 1) / (N - 1));
      return Math.sqrt(variance(gaps) + k * variance(days) + (1 - k) * mean(ranges));
    },
  );
});

test('indicators/hurst/one half while the price stands still, one where it only trends', () => {
  const flat = indicators.hurst(32);
  const still = Array.from({ length: 40 }, () => flat.next(0.1));
  expect(still.slice(31, 34)).toEqual([undefined, 0.5, 0.5]);
  const steady = indicators.hurst(32);
  const grown = Array.from({ length: 40 }, (_, i) => steady.next(1.01 ** i));
  expect(grown.at(-1)).toBe(0.5);
  const curved = indicators.hurst(128);
  const bent = Array.from({ length: 129 }, (_, i) => curved.next(Math.exp((i * i) / 1e4)));
  expect(bent.at(-1)).toBeCloseTo(1, 2);
});

test('indicators/vpin/buckets of equal volume, trades split over them', () => {
  const bucket = 2;
  agrees(
    () => indicators.vpin(bucket, N),
    trades,
    (seen) => {
      // Eighths of a unit one by one, exact.
      const units = seen.flatMap(({ quantity, side }) => Array.from({ length: quantity * 8 }, () => side));
      const full = Math.floor(units.length / (bucket * 8));
      if (full < N) return undefined;
      const gaps = Array.from({ length: N }, (_, i) => {
        const piece = units.slice((full - N + i) * bucket * 8, (full - N + i + 1) * bucket * 8);
        return Math.abs(2 * piece.filter((side) => side === 'buy').length - piece.length) / 8;
      });
      return sum(gaps) / (N * bucket);
    },
  );
});

test('indicators/vpin/a trade of a million buckets costs no more than n', () => {
  const vpin = indicators.vpin(1e-6, 3);
  expect(vpin.next({ price: 1, quantity: 1e6, side: 'sell' })).toBeCloseTo(1, 12);
});

test('indicators/kyle-lambda/least squares through zero', () => {
  agrees(
    () => indicators.kyleLambda(N),
    trades,
    (seen) => {
      if (seen.length < N + 1) return undefined;
      const pairs = seen.slice(1).map(({ price, quantity, side }, i) => ({
        move: price - (seen[i]?.price ?? price),
        flow: side === 'buy' ? quantity : -quantity,
      }));
      const last = pairs.slice(-N);
      return sum(last.map(({ move, flow }) => move * flow)) / sum(last.map(({ flow }) => flow * flow));
    },
  );
});
