/** Laws of the thinned curve of equity: its maximum drawdown is that of every value that was added. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ThinnedCurve } from '../../../../src/session/recorder/curves/thinned-curve.ts';
import { drawdownOf } from '../../../../src/statistics/drawdown.ts';
import { isOrdered, pointsOf, seriesOf, type Point } from '../../../../src/statistics/series.ts';

interface Step {
  readonly gapMs: number;
  readonly move: number;
  readonly kind: 'add' | 'fix' | 'look';
}

const START_MS = 1_767_225_600_000;

const often = 40;

// Mostly some tens of values a second.
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    gapMs: fc.oneof({ weight: often, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(20_000) }),
    move: fc.double({ min: -10, max: 10, noNaN: true }),
    kind: fc.oneof(
      { weight: often, arbitrary: fc.constant('add' as const) },
      { weight: 1, arbitrary: fc.constantFrom('fix' as const, 'look' as const) },
    ),
  }),
  { minLength: 1, maxLength: 120, size: 'max' },
);

function play(curve: ThinnedCurve, all: readonly Step[]): readonly Point[] {
  let at = START_MS;
  let value = 0;
  curve.fix(at, value);
  const added: Point[] = [[at, value]];
  for (const { gapMs, move, kind } of all) {
    at += gapMs;
    value += move;
    if (kind === 'fix') curve.fix(at, value);
    else curve.add(at, value);
    if (kind === 'look') curve.series();
    added.push([at, value]);
  }
  return added;
}

function drawdownPct(points: readonly Point[], capital: number): number | null {
  return drawdownOf(seriesOf(points.map(([ts, value]): Point => [ts, capital + value])), Infinity).maxDrawdownPct;
}

it.each([
  ['each second', Infinity],
  ['stretches that double', 32],
])('thinned-curve/drawdown: is exact where it keeps %s (law)', (_, pointsMax) => {
  fc.assert(
    fc.property(steps, fc.double({ min: 1, max: 5_000, noNaN: true }), (all, capital) => {
      const curve = new ThinnedCurve(pointsMax, { drawdown: 'exact' });
      curve.base = capital;
      const added = play(curve, all);
      const kept = curve.series();
      expect(kept.length).toBeLessThanOrEqual(pointsMax);
      expect(isOrdered(kept)).toBe(true);
      const known = new Set(added.map(String));
      expect(pointsOf(kept).filter((point) => !known.has(String(point)))).toEqual([]);
      expect(drawdownPct(pointsOf(kept), capital)).toBe(drawdownPct(added, capital));
    }),
    { numRuns: 300 },
  );
});

it('thinned-curve/drawdown: compares depths with the capital that is known last', () => {
  const curve = new ThinnedCurve(Infinity, { drawdown: 'exact' });
  curve.base = 10;
  for (const [at, value] of [
    [0, 0],
    [1, -5],
    [2, 20],
    [3, 5],
  ] as const)
    curve.fix(at * 1_000, value);
  curve.base = 1_000;
  // Deeper than 15 of 1,020, but not than 5 of 10.
  for (const value of [19, 35, 18, 36]) curve.add(4_500, value);
  expect(drawdownPct(pointsOf(curve.series()), 1_000)).toBeCloseTo((17 / 1_035) * 100, 10);
});

it('thinned-curve/points: keeps of other curves the lowest, highest and last of a second alone', () => {
  const curve = new ThinnedCurve();
  for (const [at, value] of [
    [10, 3],
    [10, 9],
    [20, 5],
    [30, 12],
    [40, 4],
    [50, 7],
    [50, 6],
  ] as const)
    curve.add(at, value);
  expect(pointsOf(curve.series())).toEqual([
    [10, 3],
    [30, 12],
    [50, 6],
  ]);
});
