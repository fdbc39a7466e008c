import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalCdf, normalQuantile } from '../../../src/statistics/numbers/normal.ts';

test('the distribution function equals published values', () => {
  // Abramowitz and Stegun, table 26.1.
  expect(normalCdf(0)).toBe(0.5);
  expect(normalCdf(1)).toBeCloseTo(0.841344746068543, 14);
  expect(normalCdf(1.96)).toBeCloseTo(0.97500210485178, 14);
  expect(normalCdf(-3)).toBeCloseTo(0.00134989803163, 14);
  expect(normalCdf(-6) / 9.865876450376946e-10).toBeCloseTo(1, 10);
});

test('the quantile equals published values', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13);
  expect(normalQuantile(0.95)).toBeCloseTo(1.644853626951472, 13);
  expect(normalQuantile(0.9)).toBeCloseTo(1.2815515655446, 12);
  expect(normalQuantile(0.001)).toBeCloseTo(-3.090232306167813, 12);
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
});

test('the quantile undoes the distribution function', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (x) => {
      expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 8);
    }),
  );
});
