/**
 * Expected greatest Sharpe ratio of K worthless trials (docs/metrics.md, "Overfitting"; Bailey & López de Prado 2014,
 * "The Deflated Sharpe Ratio"; Bailey et al. 2014, "Pseudo-Mathematics").
 */
import { finite, momentsOf } from '../numbers/moments.ts';
import { normalQuantile } from '../numbers/normal.ts';
import { probabilisticSharpe, type SharpeEstimate } from '../significance.ts';
import { shortBlock } from './stationary-bootstrap.ts';

const EULER_MASCHERONI = 0.577_215_664_901_532_9;
/** Upper end of the search. */
const TRIALS_MAX = 1e12;
const HALVINGS = 60;

/**
 * E[max of K] in standard deviations of the trials. 0 for one; linear from one to two. For K = 10, 100, 1000: 1.5746,
 * 2.5306, 3.2551.
 */
export function expectedMaximum(trials: number): number {
  if (!(trials > 1)) return 0;
  if (trials < 2) return (trials - 1) * expectedMaximum(2);
  const high = normalQuantile(1 - 1 / trials);
  const higher = normalQuantile(1 - 1 / (trials * Math.E));
  return (1 - EULER_MASCHERONI) * high + EULER_MASCHERONI * higher;
}

/** Inverse of `expectedMaximum`, by bisection; 1 for 0 or less. */
export function trialsOfMaximum(maximum: number): number {
  if (!(maximum > 0)) return 1;
  let low = 0;
  let high = Math.log(TRIALS_MAX);
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (expectedMaximum(Math.exp(middle)) < maximum) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

/**
 * Spread of Sharpe ratios by luck: 1/√(T − 1) × √(long-run variance / variance) of the returns.
 * Newey & West 1987, lags up to ⌈T^⅓⌉. Not the spread of the trials, which true losers widen.
 */
export function luckSpread(returns: Float64Array): number | null {
  const { mean, std } = momentsOf(returns);
  if (mean === null || std === null || std === 0) return null;
  const periods = returns.length;
  const lags = Math.min(shortBlock(periods), periods - 1);
  const product = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < periods; t++) sum += (returns[t]! - mean) * (returns[t - lag]! - mean);
    return sum;
  };
  const variance = product(0);
  let longRun = variance;
  for (let lag = 1; lag <= lags; lag++) longRun += 2 * (1 - lag / (lags + 1)) * product(lag);
  return Math.sqrt(Math.max(0, longRun / variance) / (periods - 1));
}

/** PSR(spread·E[max of K]), with `luckSpread` per period. Null where the PSR is. */
export function deflatedSharpe(estimate: SharpeEstimate, trials: number, spread: number): number | null {
  return probabilisticSharpe(estimate, spread * expectedMaximum(trials));
}

/**
 * Years within which the best of `trials` is expected to reach this annual Sharpe ratio by luck: (E[max of K] / SR)².
 */
export function minBacktestYears(trials: number, annualSharpe: number): number | null {
  return annualSharpe > 0 ? finite((expectedMaximum(trials) / annualSharpe) ** 2) : null;
}
