import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Extremes } from '../../../src/statistics/numbers/extremes.ts';
import { seriesOf, type Point } from '../../../src/statistics/series.ts';

test('any stretch has the extremes that a plain scan finds', () => {
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 3000 });
  fc.assert(
    fc.property(values, fc.nat(3000), fc.nat(3000), (row, a, b) => {
      const extremes = new Extremes(seriesOf(row.map((value, i): Point => [i, value])));
      const from = Math.min(a, b) % row.length;
      const to = Math.max(from, Math.max(a, b) % row.length);
      const part = row.slice(from, to + 1);
      expect(extremes.between(from, to)).toEqual({
        low: part.reduce((least, value) => Math.min(least, value)),
        high: part.reduce((most, value) => Math.max(most, value)),
      });
    }),
    { numRuns: 60 },
  );
});

test('there is nothing before the first point', () => {
  expect(new Extremes(seriesOf([[10, 1]])).between(0, 9)).toBeNull();
});
