import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { walkForward, type WalkForwardMode } from '../../../src/statistics/overfitting/walk-forward.ts';

function noise(seed: number, periods: number, drift = 0): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: periods }, () => 0.01 * (drift + normal(random)));
}

describe('walk-forward', () => {
  it('trains on what lies before the test, of fixed or growing length', () => {
    const rows = [noise(1, 60)];
    const borders = (mode: WalkForwardMode): unknown =>
      walkForward(rows, { mode, folds: 4, purge: 1, embargo: 2 }).folds.map(({ train, test }) => [train, test]);
    expect(borders('rolling')).toEqual([
      [[[0, 19]], [20, 30]],
      [[[10, 29]], [30, 40]],
      [[[20, 39]], [40, 50]],
      [[[30, 49]], [50, 60]],
    ]);
    expect(borders('anchored')).toEqual([
      [[[0, 19]], [20, 30]],
      [[[0, 29]], [30, 40]],
      [[[0, 39]], [40, 50]],
      [[[0, 49]], [50, 60]],
    ]);
    expect(borders('purged')).toEqual([
      [[[17, 60]], [0, 15]],
      [
        [
          [0, 14],
          [32, 60],
        ],
        [15, 30],
      ],
      [
        [
          [0, 29],
          [47, 60],
        ],
        [30, 45],
      ],
      [[[0, 44]], [45, 60]],
    ]);
  });

  it('never trains on a test period, on what is purged or on what is embargoed', () => {
    const mode = fc.constantFrom<WalkForwardMode>('rolling', 'anchored', 'purged');
    const options = fc.record({ mode, folds: fc.integer({ min: 1, max: 6 }), purge: fc.nat(3), embargo: fc.nat(3) });
    fc.assert(
      fc.property(options, fc.integer({ min: 80, max: 200 }), (given, periods) => {
        for (const { train, test } of walkForward([noise(1, periods)], given).folds) {
          for (const [from, to] of train) {
            const isBefore = to <= test[0] - given.purge;
            const isAfter = from >= test[1] + given.embargo;
            expect(isBefore || isAfter).toBe(true);
          }
        }
      }),
    );
  });

  it('chooses the best in training, whatever it does in the test', () => {
    const rising = noise(1, 90, 1);
    const fading = noise(2, 90).map((value, t) => (t < 30 ? value + 0.05 : value - 0.05));
    const { folds, gainedShare, efficiency } = walkForward([rising, fading], {
      mode: 'rolling',
      folds: 4,
      purge: 0,
      embargo: 0,
    });
    expect(folds[0]!.chosen).toBe(1);
    expect(folds[0]!.testGrowth).toBeLessThan(1);
    expect(folds.at(-1)!.chosen).toBe(0);
    expect(gainedShare).toBeLessThan(1);
    expect(efficiency).not.toBeNull();
  });

  it('of one steady trial earns out of sample what it does in it', () => {
    const { efficiency, gainedShare, testGrowth } = walkForward([new Float64Array(60).fill(0.001)], {
      mode: 'anchored',
      folds: 4,
      purge: 0,
      embargo: 0,
    });
    expect(efficiency).toBeCloseTo(1, 12);
    expect(gainedShare).toBe(1);
    expect(testGrowth).toBeCloseTo(1.001 ** 40, 12);
  });

  it('refuses folds that are too short', () => {
    expect(() => walkForward([noise(1, 20)], { mode: 'rolling', folds: 5, purge: 0, embargo: 0 })).toThrow(/too few/);
    expect(() => walkForward([noise(1, 60)], { mode: 'rolling', folds: 4, purge: 8, embargo: 2 })).toThrow(/too few/);
  });
});
