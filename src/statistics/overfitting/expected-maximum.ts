/**
 * What the best of many worthless trials looks like: the expected greatest Sharpe ratio of K independent trials whose true
 * Sharpe ratio is zero, and how long a backtest must be for that luck to be small (docs/metrics.md, "Overfitting";
 * Bailey & López de Prado 2014, "The Deflated Sharpe Ratio"; Bailey et al. 2014, "Pseudo-Mathematics").
 */
import { finite } from '../moments.ts';
import { normalQuantile } from '../normal.ts';
import { probabilisticSharpe, type SharpeEstimate } from '../significance.ts';

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

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

/**
 * Probability that the true Sharpe ratio is above what luck alone would show as the best of `trials`: PSR(E[max of K]).
 * `trialStd`: standard deviation of the Sharpe ratios of all trials, per period. Null where the PSR is.
 */
export function deflatedSharpe(estimate: SharpeEstimate, trials: number, trialStd: number): number | null {
  return probabilisticSharpe(estimate, trialStd * expectedMaximum(trials));
}

/** Years below which the best of `trials` is expected to reach this annual Sharpe ratio by luck: (E[max of K] / SR)². */
export function minBacktestYears(trials: number, annualSharpe: number): number | null {
  return annualSharpe > 0 ? finite((expectedMaximum(trials) / annualSharpe) ** 2) : null;
}
