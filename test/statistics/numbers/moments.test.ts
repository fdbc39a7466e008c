import fc from 'fast-check';
import { mean, sampleKurtosis, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { momentsOf, sumOf } from '../../../src/statistics/numbers/moments.ts';

const value = fc.double({ min: -0.2, max: 0.2, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);

test('moments of a small sample, by hand', () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, Σd² = 32, Σd³ = 42, Σd⁴ = 356.
  const { mean: m, std, skew, kurtosis } = momentsOf([2, 4, 4, 4, 5, 5, 7, 9]);
  expect(m).toBe(5);
  expect(std).toBeCloseTo(Math.sqrt(32 / 7), 14);
  const g1 = 42 / 8 / 4 ** 1.5;
  expect(skew).toBeCloseTo((g1 * Math.sqrt(56)) / 6, 12);
  const g2 = 356 / 8 / 16 - 3;
  expect(kurtosis).toBeCloseTo((7 / 30) * (9 * g2 + 6) + 3, 12);
});

test('moments agree with an independent implementation', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 4, maxLength: 60 }), (values) => {
      const ours = momentsOf(values);
      if (ours.std === 0) return;
      expect(ours.mean).toBeCloseTo(mean(values), 12);
      expect(ours.std).toBeCloseTo(sampleStandardDeviation(values), 12);
      expect(ours.skew).toBeCloseTo(sampleSkewness(values), 6);
      expect(ours.kurtosis! - 3).toBeCloseTo(sampleKurtosis(values), 6);
    }),
  );
});

test('values that differ by rounding alone have no deviation', () => {
  expect(momentsOf([0.1 + 0.2, 0.3, 0.3]).std).toBe(0);
  expect(momentsOf([1e-17, 2e-17, 3e-17], 1e-15).std).toBe(0);
});

test('a sum keeps what a plain loop loses', () => {
  expect(sumOf([1e16, 1, -1e16])).toBe(1);
});
