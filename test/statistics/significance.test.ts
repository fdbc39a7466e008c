import { expect, test } from 'vitest';
import { normalCdf } from '../../src/statistics/numbers/normal.ts';
import { minTrackRecord, probabilisticSharpe, sharpeInterval } from '../../src/statistics/significance.ts';

const estimate = { sharpe: 0.1, skew: -0.5, kurtosis: 5, samples: 101 };
/** 1 − γ3·SR + (γ4 − 1)/4·SR² = 1 + 0.05 + 0.01. */
const spread = 1.06;

test('the probabilistic Sharpe ratio, by hand', () => {
  expect(probabilisticSharpe(estimate)).toBeCloseTo(normalCdf(0.1 / Math.sqrt(spread / 100)), 14);
  expect(probabilisticSharpe(estimate, 0.1)).toBe(0.5);
});

test('the minimum track record length, by hand', () => {
  expect(minTrackRecord(estimate)).toBeCloseTo(1 + spread * (1.6448536269514722 / 0.1) ** 2, 8);
  expect(minTrackRecord(estimate, 0.2)).toBeNull();
});

test('at the minimum track record the probability is the confidence', () => {
  const samples = minTrackRecord(estimate)!;
  expect(probabilisticSharpe({ ...estimate, samples })).toBeCloseTo(0.95, 12);
});

test('the interval is symmetric and annualised', () => {
  const [low, high] = sharpeInterval(estimate, 365)!;
  expect((low + high) / 2).toBeCloseTo(0.1 * Math.sqrt(365), 12);
  expect((high - low) / 2).toBeCloseTo(1.959963984540054 * Math.sqrt((spread / 100) * 365), 10);
});

// Bailey & López de Prado (2012), "The Sharpe Ratio Efficient Frontier".
test('the published example: two years of months with an annual Sharpe ratio of 1.59', () => {
  const normal = { sharpe: 0.458, skew: 0, kurtosis: 3, samples: 24 };
  expect(probabilisticSharpe(normal)).toBeCloseTo(0.982, 3);
  expect(probabilisticSharpe({ ...normal, skew: -2.448, kurtosis: 10.164 })).toBeCloseTo(0.913, 3);
});

test.each([
  [252, 2.73],
  [52, 2.83],
  [12, 3.24],
])(
  'the published track record that shows a Sharpe ratio of 2 to be above 1, at %i periods a year',
  (periods, years) => {
    const estimate = { sharpe: 2 / Math.sqrt(periods), skew: 0, kurtosis: 3, samples: 100 };
    expect(minTrackRecord(estimate, 1 / Math.sqrt(periods))! / periods).toBeCloseTo(years, 2);
  },
);
