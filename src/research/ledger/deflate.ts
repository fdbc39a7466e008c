/**
 * What a result is worth after all the tries before it: the deflated Sharpe ratio with K counted from the trial ledger
 * (docs/metrics.md, "Overfitting"). Trials over the same period are compared return by return, so that copies of one idea
 * count as one; a trial over another period of the same data counts whole. How far luck spreads Sharpe ratios follows from
 * the returns that are judged, never from how the tries differ. Pure: its chance has a seed of its own, so that the same
 * ledger gives the same figures.
 */
import { createHash } from 'node:crypto';
import { seededRandom } from '../../model/random.ts';
import { MIN_ANNUAL_MS } from '../../statistics/compute.ts';
import { momentsOf } from '../../statistics/moments.ts';
import { deflatedSharpe, luckSpread, minBacktestYears } from '../../statistics/overfitting/expected-maximum.ts';
import { effectiveTrials } from '../../statistics/overfitting/effective-trials.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { YEAR_MS } from '../../statistics/returns.ts';
import type { SharpeEstimate } from '../../statistics/significance.ts';
import type { Trial } from './trial-ledger.ts';

const SEED = 1;

export interface Deflation {
  /** Trials on this data so far, this one included. */
  readonly trials: number;
  readonly effectiveTrials: number;
  /** Null without variance, or with too few returns for skewness and kurtosis. */
  readonly dsr: number | null;
  /** Null where nothing is annualised. */
  readonly minBacktestYears: number | null;
}

/** The tries on the same data, as they can be compared with one of them. */
export interface Tries {
  /** Returns over the same period and grid, the own ones first; those that are equal once. */
  readonly rows: readonly Float64Array[];
  /** Tries over other periods of the data, or on another grid. */
  readonly elsewhere: number;
}

/** `trials`: all on the same data, the own one among them or not. */
export function triesOf(own: PeriodReturns, period: Trial['period'], trials: readonly Trial[]): Tries {
  const isComparable = (trial: Trial): boolean =>
    trial.returns.sampleMs === own.sampleMs &&
    trial.returns.values.length === own.values.length &&
    trial.period.from === period.from;
  const comparable = trials.filter(isComparable);
  // The same to the last digit in whatever order the trials ended.
  const sorted = comparable.toSorted((a, b) => (a.runHash < b.runHash ? -1 : 1)).map(({ returns }) => returns.values);
  return { rows: distinct([own.values, ...sorted]), elsewhere: trials.length - comparable.length };
}

export function estimateOf(returns: Float64Array): SharpeEstimate | null {
  const { skew, kurtosis } = momentsOf(returns);
  const sharpe = periodSharpe(returns, 0);
  if (sharpe === null || skew === null || kurtosis === null) return null;
  return { sharpe, skew, kurtosis, samples: returns.length };
}

/**
 * `own`: returns of the run on the grid of the ledger; `trials`: all on the same data; `judged`: the returns whose Sharpe
 * ratio is deflated, where they are sampled in another way.
 */
export function deflate(
  own: PeriodReturns,
  period: Trial['period'],
  trials: readonly Trial[],
  judged: PeriodReturns = own,
): Deflation {
  const { rows, elsewhere } = triesOf(own, period, trials);
  const effective = Math.max(1, effectiveTrials(rows, seededRandom(SEED).fork('effective trials')) + elsewhere);
  const count = { trials: trials.length, effectiveTrials: effective };
  const estimate = estimateOf(judged.values);
  const spread = luckSpread(judged.values);
  if (estimate === null || spread === null) return { ...count, dsr: null, minBacktestYears: null };
  const isLong = period.to - period.from >= MIN_ANNUAL_MS;
  const annual = estimate.sharpe * Math.sqrt(YEAR_MS / judged.sampleMs);
  return {
    ...count,
    dsr: deflatedSharpe(estimate, effective, spread),
    minBacktestYears: isLong ? minBacktestYears(effective, annual) : null,
  };
}

/** The first of those that are the same: parameters without an effect. They are no tries more. */
function distinct(rows: readonly Float64Array[]): readonly Float64Array[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    const key = createHash('sha256').update(bytes).digest('base64');
    return !seen.has(key) && seen.add(key);
  });
}
