import { expect, test } from 'vitest';
import { sampleAtBoundaries, simpleReturns } from '../../src/statistics/returns.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { DAY, T0 } from './fixtures.ts';

test('samples are the start, each UTC midnight inside and the end', () => {
  const from = T0 + DAY / 2;
  const to = T0 + 3 * DAY + 5;
  const curve = seriesOf([
    [from, 100],
    [T0 + DAY - 1, 101],
    [T0 + DAY, 102],
    [T0 + DAY + 1, 103],
    [T0 + 3 * DAY + 5, 104],
  ]);
  expect([...sampleAtBoundaries(curve, from, to, DAY)]).toEqual([100, 102, 103, 103, 104]);
});

test('a run that ends at midnight has no empty period after it', () => {
  const curve = seriesOf([
    [T0, 100],
    [T0 + 2 * DAY, 110],
  ]);
  expect([...sampleAtBoundaries(curve, T0, T0 + 2 * DAY, DAY)]).toEqual([100, 100, 110]);
});

test('returns after equity was lost mean nothing', () => {
  expect(simpleReturns(new Float64Array([100, 0, 5]))).toBeNull();
  expect([...(simpleReturns(new Float64Array([100, 110, 99])) ?? [])].map((r) => r.toFixed(6))).toEqual([
    '0.100000',
    '-0.100000',
  ]);
});
