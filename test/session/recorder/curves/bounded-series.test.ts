import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedSeries } from '../../../../src/session/recorder/curves/bounded-series.ts';
import { seriesOf, valueAt, isOrdered, type Point } from '../../../../src/statistics/series.ts';

const POINTS_MAX = 64;

const points: fc.Arbitrary<readonly Point[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -50, max: 50 })), {
    minLength: 1,
    maxLength: 600,
    size: 'max',
  })
  .map((steps) => {
    let ts = 1_767_225_600_000;
    return steps.map(([step, value]): Point => [(ts += step), value]);
  });

it('keeps extremes and end exactly, the order of time, and values as of their stretch', () => {
  fc.assert(
    fc.property(points, (pushed) => {
      const whole = seriesOf(pushed);
      const series = new BoundedSeries(POINTS_MAX);
      for (const [ts, value] of pushed) {
        series.push(ts, value);
        expect(series.length).toBeLessThanOrEqual(POINTS_MAX);
      }
      const kept = series.points();
      const values = pushed.map(([, value]) => value);
      expect(isOrdered(series)).toBe(true);
      expect(kept.at(-1)).toEqual(pushed.at(-1));
      expect(Math.min(...kept.map(([, value]) => value))).toBe(Math.min(...values));
      expect(Math.max(...kept.map(([, value]) => value))).toBe(Math.max(...values));
      for (const [ts, value] of kept) expect(pushed).toContainEqual([ts, value]);
      // At the end of each stretch the value is the one of the whole series.
      const { stretchMs } = series;
      if (stretchMs === 0) expect(kept).toEqual(pushed);
      else
        for (const [ts] of kept) {
          const end = (Math.floor(ts / stretchMs) + 1) * stretchMs - 1;
          expect(valueAt(series, end)).toBe(valueAt(whole, end));
        }
    }),
  );
});

it('keeps every point where no bound is asked for, and refuses a bound of nothing', () => {
  const series = new BoundedSeries(Infinity);
  for (let ts = 0; ts < 5_000; ts++) series.push(ts, ts % 7);
  expect(series.length).toBe(5_000);
  expect(series.stretchMs).toBe(0);
  expect(() => new BoundedSeries(3)).toThrow(RangeError);
});
