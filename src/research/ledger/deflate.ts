/**
 * What a result is worth after all the tries before it: the deflated Sharpe ratio with K counted from the trial ledger
 * (metrics.md, "Overfitting"). Trials over the same period are compared return by return, so that copies of one idea
 * count as one; a trial over another period of the same data counts whole. Pure.
 */
import { MIN_ANNUAL_MS } from '../../statistics/compute.ts';
import { momentsOf } from '../../statistics/moments.ts';
import { deflatedSharpe, minBacktestYears } from '../../statistics/overfitting/expected-maximum.ts';
import { effectiveTrials } from '../../statistics/overfitting/effective-trials.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { YEAR_MS } from '../../statistics/returns.ts';
import type { Trial } from './trial-ledger.ts';

/** Of more trials so many, by their hashes, are correlated and the outcome is scaled up: the eigenvalues cost K³. */
const CORRELATED_MAX = 128;

export interface Deflation {
  /** Trials on this data so far, this one included. */
  readonly trials: number;
  readonly effectiveTrials: number;
  /** Null without variance, or with too few returns for skewness and kurtosis. */
  readonly dsr: number | null;
  /** Null where nothing is annualised. */
  readonly minBacktestYears: number | null;
}

/** `trials`: all on the same data, the own one among them. */
export function deflate(own: PeriodReturns, period: Trial['period'], trials: readonly Trial[]): Deflation {
  const comparable = trials
    .filter(
      (trial) =>
        trial.returns.sampleMs === own.sampleMs &&
        trial.returns.values.length === own.values.length &&
        trial.period.from === period.from,
    )
    // The same to the last digit in whatever order the trials ended.
    .toSorted((a, b) => (a.runHash < b.runHash ? -1 : 1));
  const rows = comparable.map(({ returns }) => returns.values);
  const correlated = rows.slice(0, CORRELATED_MAX);
  const scale = correlated.length === 0 ? 1 : rows.length / correlated.length;
  const effective = Math.max(1, effectiveTrials(correlated) * scale + (trials.length - comparable.length));
  const sharpes = rows.map((row) => periodSharpe(row, 0) ?? 0);
  const { skew, kurtosis } = momentsOf(own.values);
  const sharpe = periodSharpe(own.values, 0);
  const count = { trials: trials.length, effectiveTrials: effective };
  if (sharpe === null || skew === null || kurtosis === null) return { ...count, dsr: null, minBacktestYears: null };
  const estimate = { sharpe, skew, kurtosis, samples: own.values.length };
  const isLong = period.to - period.from >= MIN_ANNUAL_MS;
  return {
    ...count,
    dsr: deflatedSharpe(estimate, effective, momentsOf(sharpes).std ?? 0),
    minBacktestYears: isLong ? minBacktestYears(effective, sharpe * Math.sqrt(YEAR_MS / own.sampleMs)) : null,
  };
}
