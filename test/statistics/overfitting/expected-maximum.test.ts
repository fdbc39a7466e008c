import { describe, expect, it } from 'vitest';
import {
  deflatedSharpe,
  expectedMaximum,
  minBacktestYears,
} from '../../../src/statistics/overfitting/expected-maximum.ts';
import { seededRandom, normal } from '../../../src/model/random.ts';

describe('the expected maximum of worthless trials', () => {
  it.each([
    [10, 1.5746],
    [100, 2.5306],
    [1000, 3.2551],
  ])('of %i is %f standard deviations', (trials, expected) => {
    expect(expectedMaximum(trials)).toBeCloseTo(expected, 4);
  });

  it('is nothing for one trial and a straight line up to two', () => {
    expect(expectedMaximum(0)).toBe(0);
    expect(expectedMaximum(1)).toBe(0);
    expect(expectedMaximum(1.5)).toBeCloseTo(expectedMaximum(2) / 2, 12);
  });

  it('is near what the best of that many normal draws comes to', () => {
    const random = seededRandom(7);
    const rounds = 20_000;
    let sum = 0;
    for (let round = 0; round < rounds; round++) {
      let best = Number.NEGATIVE_INFINITY;
      for (let trial = 0; trial < 50; trial++) best = Math.max(best, normal(random));
      sum += best;
    }
    expect(Math.abs(sum / rounds - expectedMaximum(50))).toBeLessThan(0.05);
  });
});

describe('the deflated Sharpe ratio', () => {
  // Bailey & López de Prado (2014), "The Deflated Sharpe Ratio", numerical example: SR 2.5 a year over five years of 250
  // days, skewness −3, kurtosis 10, variance of the trials' annual Sharpe ratios 1/2.
  const estimate = { sharpe: 2.5 / Math.sqrt(250), skew: -3, kurtosis: 10, samples: 1250 };
  const trialStd = Math.sqrt(0.5 / 250);

  it('of the published example with 100 trials is 0.9004', () => {
    expect(trialStd * expectedMaximum(100)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(estimate, 100, trialStd)).toBeCloseTo(0.9004, 4);
  });

  it('of the published example with 46 trials is 0.9505', () => {
    expect(deflatedSharpe(estimate, 46, trialStd)).toBeCloseTo(0.9505, 3);
  });

  it('of one trial is the probabilistic Sharpe ratio against nothing', () => {
    expect(deflatedSharpe(estimate, 1, trialStd)).toBeGreaterThan(0.999);
  });
});

describe('the minimum length of a backtest', () => {
  // Bailey et al. (2014), "Pseudo-Mathematics and Financial Charlatanism": with five years of data no more than 45
  // independent configurations may be tried before an annual Sharpe ratio of 1 is expected by luck.
  it('is five years for 45 trials and a Sharpe ratio of one', () => {
    expect(minBacktestYears(45, 1)).toBeCloseTo(5, 0);
  });

  it('is undefined for a Sharpe ratio that is not above zero', () => {
    expect(minBacktestYears(45, 0)).toBeNull();
    expect(minBacktestYears(45, -1)).toBeNull();
  });
});
