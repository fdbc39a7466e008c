/**
 * What the best of many worthless trials looks like: the expected greatest Sharpe ratio of K independent trials whose true
 * Sharpe ratio is zero, and how long a backtest must be for that luck to be small (docs/metrics.md, "Overfitting";
 * Bailey & López de Prado 2014, "The Deflated Sharpe Ratio"; Bailey et al. 2014, "Pseudo-Mathematics").
 */
import { finite, momentsOf } from '../moments.ts';
import { normalQuantile } from '../normal.ts';
import { probabilisticSharpe, type SharpeEstimate } from '../significance.ts';
import { shortBlock } from './stationary-bootstrap.ts';

const EULER_MASCHERONI = 0.577_215_664_901_532_9;
/** More trials than these nobody makes; halvings of their logarithm down to rounding. */
const TRIALS_MAX = 1e12;
const HALVINGS = 60;

/**
 * E[max of K] in units of the trials' standard deviation. 0 for one trial; between one and two, where an effective number
 * may lie, in a straight line. For K = 10, 100, 1000: 1.5746, 2.5306, 3.2551.
 */
export function expectedMaximum(trials: number): number {
  if (!(trials > 1)) return 0;
  if (trials < 2) return (trials - 1) * expectedMaximum(2);
  const high = normalQuantile(1 - 1 / trials);
  const higher = normalQuantile(1 - 1 / (trials * Math.E));
  return (1 - EULER_MASCHERONI) * high + EULER_MASCHERONI * higher;
}

/** The number of trials whose expected maximum this is; 1 for nothing or less. Its inverse, by halving. */
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
 * How far luck alone spreads the Sharpe ratios of trials that are worth nothing: 1/√(T − 1), times the root of the returns'
 * long-run variance over their variance, as returns that follow one another are fewer than they look. Never the spread of
 * the trials themselves, which true losers widen. Lags up to ⌈T^⅓⌉ with falling weights (Newey & West 1987).
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

/**
 * Probability that the true Sharpe ratio is above what luck alone would show as the best of `trials`: PSR(spread·E[max of K]).
 * `spread`: of `luckSpread`, per period. Null where the PSR is.
 */
export function deflatedSharpe(estimate: SharpeEstimate, trials: number, spread: number): number | null {
  return probabilisticSharpe(estimate, spread * expectedMaximum(trials));
}

/** Years below which the best of `trials` is expected to reach this annual Sharpe ratio by luck: (E[max of K] / SR)². */
export function minBacktestYears(trials: number, annualSharpe: number): number | null {
  return annualSharpe > 0 ? finite((expectedMaximum(trials) / annualSharpe) ** 2) : null;
}
