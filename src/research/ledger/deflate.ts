/**
 * Deflated Sharpe ratio with the ledger's trials (docs/metrics.md, "Overfitting"). Trials of one period are compared by
 * returns, so copies count as one. Fixed seed.
 */
import { createHash } from 'node:crypto';
import { seededRandom } from '../../model/random.ts';
import { MIN_ANNUAL_MS } from '../../statistics/compute.ts';
import { momentsOf } from '../../statistics/numbers/moments.ts';
import { deflatedSharpe, luckSpread, minBacktestYears } from '../../statistics/overfitting/expected-maximum.ts';
import { effectiveTrials } from '../../statistics/overfitting/effective-trials.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { YEAR_MS } from '../../statistics/returns.ts';
import type { SharpeEstimate } from '../../statistics/significance.ts';
import type { Trial } from './trial-ledger.ts';

const SEED = 1;

export interface Deflation {
  /** On this data, this one included. */
  readonly trials: number;
  readonly effectiveTrials: number;
  /** Null without variance, or with too few returns. */
  readonly dsr: number | null;
  /** Null where nothing is annualised. */
  readonly minBacktestYears: number | null;
}

/** The trials on the same data. */
export interface Tries {
  /** Same period and grid, the own ones first, without duplicates. */
  readonly rows: readonly Float64Array[];
  /** Trials over other periods or on another grid. */
  readonly elsewhere: number;
}

/** `trials`: on the same data, with or without the own one. */
export function triesOf(own: PeriodReturns, period: Trial['period'], trials: readonly Trial[]): Tries {
  const isComparable = (trial: Trial): boolean =>
    trial.returns.sampleMs === own.sampleMs &&
    trial.returns.values.length === own.values.length &&
    trial.period.from === period.from;
  const comparable = trials.filter(isComparable);
  // Independent of the order in which trials ended.
  const sorted = comparable.toSorted((a, b) => (a.runHash < b.runHash ? -1 : 1)).map(({ returns }) => returns.values);
  return { rows: distinct([own.values, ...sorted]), elsewhere: trials.length - comparable.length };
}

export function estimateOf(returns: Float64Array): SharpeEstimate | null {
  const { skew, kurtosis } = momentsOf(returns);
  const sharpe = periodSharpe(returns, 0);
  if (sharpe === null || skew === null || kurtosis === null) return null;
  return { sharpe, skew, kurtosis, samples: returns.length };
}

/** `own`: on the ledger's grid; `judged`: the returns to deflate, if sampled otherwise. */
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

/** Drops duplicates, as of parameters without effect. */
function distinct(rows: readonly Float64Array[]): readonly Float64Array[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    const key = createHash('sha256').update(bytes).digest('base64');
    return !seen.has(key) && seen.add(key);
  });
}
