import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawdownOf } from '../../src/statistics/drawdown.ts';
import { seriesOf, type Point } from '../../src/statistics/series.ts';

test('a drawdown by hand, weighted by time', () => {
  // 100 for 10, 90 for 20 (10 %), 80 for 10 (20 %), 110 for 40, 99 for 20 (10 %).
  const curve = seriesOf([
    [0, 100],
    [10, 90],
    [30, 80],
    [40, 110],
    [80, 99],
  ]);
  const drawdown = drawdownOf(curve, 100);
  expect(drawdown.maxDrawdownPct).toBeCloseTo(20, 12);
  expect(drawdown.maxDrawdownDurationMs).toBe(60);
  expect(drawdown.recoveryMs).toBe(10);
  expect(drawdown.underwaterPct).toBeCloseTo(50, 12);
  expect(drawdown.ulcer).toBeCloseTo(Math.sqrt((0.01 * 20 + 0.04 * 10 + 0.01 * 20) / 100), 12);
});

test('a drawdown that never ends has no recovery and lasts to the end', () => {
  const drawdown = drawdownOf(
    seriesOf([
      [0, 100],
      [10, 120],
      [20, 60],
      [30, 90],
    ]),
    50,
  );
  expect(drawdown).toMatchObject({ maxDrawdownPct: 50, maxDrawdownDurationMs: 40, recoveryMs: null });
});

test('the first point is a peak, so a loss from the start counts', () => {
  expect(
    drawdownOf(
      seriesOf([
        [0, 100],
        [1, 75],
      ]),
      2,
    ).maxDrawdownPct,
  ).toBe(25);
});

test('nothing lost is no drawdown', () => {
  expect(
    drawdownOf(
      seriesOf([
        [0, 100],
        [5, 101],
      ]),
      10,
    ),
  ).toEqual({
    maxDrawdownPct: 0,
    maxDrawdownDurationMs: 0,
    recoveryMs: null,
    underwaterPct: 0,
    ulcer: 0,
  });
});

test('a curve that starts at zero has none', () => {
  expect(
    drawdownOf(
      seriesOf([
        [0, 0],
        [1, 5],
      ]),
      2,
    ).maxDrawdownPct,
  ).toBeNull();
});

/** Every pair of points: the slow way. */
function naive(points: readonly Point[]): number {
  let worst = 0;
  for (let i = 0; i < points.length; i++) {
    for (let j = i; j < points.length; j++) worst = Math.max(worst, 1 - points[j]![1] / points[i]![1]);
  }
  return worst * 100;
}

test('the deepest drawdown equals that of all pairs, and does not change with the currency', () => {
  const values = fc.array(fc.integer({ min: 50, max: 200 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, (equity) => {
      const points = equity.map((value, i): Point => [i, value]);
      const scaled = points.map(([ts, value]): Point => [ts, value * 1024]);
      const drawdown = drawdownOf(seriesOf(points), equity.length);
      expect(drawdown.maxDrawdownPct).toBeCloseTo(naive(points), 9);
      expect(drawdownOf(seriesOf(scaled), equity.length)).toEqual(drawdown);
    }),
  );
});
