import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { correlationMatrix, effectiveTrials } from '../../../src/statistics/overfitting/effective-trials.ts';
import { symmetricEigen } from '../../../src/statistics/symmetric-eigen.ts';

function noise(seed: number, periods: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: periods }, () => normal(random));
}

describe('effective trials', () => {
  it('count copies once', () => {
    const row = noise(1, 500);
    expect(effectiveTrials([row, row.map((value) => 3 * value), row])).toBeCloseTo(1, 9);
  });

  it('count unrelated ones each', () => {
    const rows = Array.from({ length: 8 }, (_, index) => noise(index + 1, 20_000));
    expect(effectiveTrials(rows)).toBeGreaterThan(7.95);
    expect(effectiveTrials(rows)).toBeLessThanOrEqual(8);
  });

  it('of two with correlation ρ is exp of the entropy of (1 ± ρ)/2', () => {
    const left = noise(1, 1000);
    const right = noise(2, 1000).map((value, t) => 0.7 * left[t]! + value);
    const rho = correlationMatrix([left, right])[1]!;
    const shares = [(1 + rho) / 2, (1 - rho) / 2];
    expect(effectiveTrials([left, right])).toBeCloseTo(Math.exp(-shares.reduce((s, p) => s + p * Math.log(p), 0)), 12);
  });

  it('count all that never moved as one', () => {
    expect(effectiveTrials([new Float64Array(10), new Float64Array(10)])).toBe(1);
    expect(effectiveTrials([])).toBe(0);
  });

  it('come from true eigenvalues and eigenvectors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer(), (size, seed) => {
        const rows = Array.from({ length: size }, (_, index) => noise(seed + index, 30));
        const matrix = correlationMatrix(rows);
        const { values, vectors } = symmetricEigen(matrix, size);
        // A · v = λ · v, and the vectors are orthonormal.
        for (let k = 0; k < size; k++) {
          for (let row = 0; row < size; row++) {
            let image = 0;
            let overlap = 0;
            for (let column = 0; column < size; column++) {
              image += matrix[row * size + column]! * vectors[column * size + k]!;
              overlap += vectors[column * size + row]! * vectors[column * size + k]!;
            }
            expect(image).toBeCloseTo(values[k]! * vectors[row * size + k]!, 9);
            expect(overlap).toBeCloseTo(row === k ? 1 : 0, 9);
          }
        }
        expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(size, 9);
      }),
      { numRuns: 50 },
    );
  });
});
