import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { effectiveTrials } from '../../../src/statistics/overfitting/effective-trials.ts';
import { expectedMaximum } from '../../../src/statistics/overfitting/expected-maximum.ts';

function noise(seed: number, count: number, periods: number): Float64Array[] {
  const random = seededRandom(seed).fork('returns');
  return Array.from({ length: count }, () => Float64Array.from({ length: periods }, () => normal(random)));
}

const chance = () => seededRandom(1).fork('multipliers');

describe('effective trials', () => {
  it('of a hundred copies are one, however they are scaled', () => {
    const row = noise(1, 1, 128)[0]!;
    expect(
      effectiveTrials(
        Array.from({ length: 100 }, (_, index) => row.map((r) => (index + 1) * r)),
        chance(),
      ),
    ).toBeCloseTo(1, 9);
  });

  it('of two hundred independent ones over 128 periods are about 170: there are more of them than periods', () => {
    const counts = [1, 2, 3, 4].map((seed) => effectiveTrials(noise(seed, 200, 128), chance()));
    for (const count of counts) expect(Math.abs(count - 170)).toBeLessThan(15);
  });

  it('of a hundred copies and a hundred independent ones are near a hundred', () => {
    const copied = noise(3, 1, 128)[0]!;
    const count = effectiveTrials([...Array.from({ length: 100 }, () => copied), ...noise(4, 100, 128)], chance());
    expect(count).toBeGreaterThan(80);
    expect(count).toBeLessThan(102);
  });

  it('are never more than the trials that move: the others are never the best', () => {
    expect(effectiveTrials([new Float64Array(10), new Float64Array(10)], chance())).toBe(0);
    expect(effectiveTrials([], chance())).toBe(0);
    const [left, right] = noise(5, 2, 400);
    expect(effectiveTrials([left!, right!, new Float64Array(400)], chance())).toBeLessThanOrEqual(2);
    expect(effectiveTrials([left!, left!.map((value) => -value)], chance())).toBe(2);
  });

  it('have the expected maximum that sums of plain multipliers have', () => {
    const market = noise(6, 1, 90)[0]!;
    const rows = noise(7, 12, 90).map((row) => row.map((value, t) => value + 1.5 * market[t]!));
    const centred = rows.map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
      const length = Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0));
      return Array.from(row, (value) => (value - mean) / length);
    });
    const random = seededRandom(77);
    const rounds = 20_000;
    let sum = 0;
    for (let round = 0; round < rounds; round++) {
      const g = Array.from({ length: 90 }, () => normal(random));
      sum += Math.max(...centred.map((row) => row.reduce((total, z, t) => total + z * g[t]!, 0)));
    }
    expect(Math.abs(expectedMaximum(effectiveTrials(rows, chance())) - sum / rounds)).toBeLessThan(0.04);
  });
});
