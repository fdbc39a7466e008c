/**
 * What a result is worth after all the tries before it: the deflated Sharpe ratio with K counted from the trial ledger
 * (metrics.md, "Overfitting"). Trials over the same period are compared return by return, so that copies of one idea
 * count as one; a trial over another period of the same data counts whole. How far luck spreads Sharpe ratios is told by all
 * of them, whatever their period and step. Pure.
 */
import { createHash } from 'node:crypto';
import { MIN_ANNUAL_MS } from '../../statistics/compute.ts';
import { momentsOf } from '../../statistics/moments.ts';
import { deflatedSharpe, minBacktestYears } from '../../statistics/overfitting/expected-maximum.ts';
import { effectiveTrials } from '../../statistics/overfitting/effective-trials.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { YEAR_MS } from '../../statistics/returns.ts';
import type { SharpeEstimate } from '../../statistics/significance.ts';
import type { Trial } from './trial-ledger.ts';

/** Of more trials so many, by their hashes, are correlated and the outcome is scaled up: the eigenvalues cost K³. */
const CORRELATED_MAX = 128;
/** A Sharpe ratio of fewer returns over another period is noise without a bound. */
const RETURNS_MIN = 16;
/** Eigenvalues leave copies of one trial this near to one. */
const ONE = 1 + 1e-6;

export interface Deflation {
  /** Trials on this data so far, this one included. */
  readonly trials: number;
  readonly effectiveTrials: number;
  /**
   * Null without variance, with too few returns for skewness and kurtosis, or where no other of several trials is long enough
   * to tell how far they spread.
   */
  readonly dsr: number | null;
  /** Null where nothing is annualised. */
  readonly minBacktestYears: number | null;
}

/** A Sharpe ratio that is to be deflated, and the length of its periods. */
export interface Deflated {
  /** Null without variance, or with too few returns. */
  readonly estimate: SharpeEstimate | null;
  readonly sampleMs: number;
}

export function estimateOf(returns: Float64Array): SharpeEstimate | null {
  const { skew, kurtosis } = momentsOf(returns);
  const sharpe = periodSharpe(returns, 0);
  if (sharpe === null || skew === null || kurtosis === null) return null;
  return { sharpe, skew, kurtosis, samples: returns.length };
}

/** `own`: returns of the run on the grid of the ledger; `trials`: all on the same data, the own one among them. */
export function deflate(
  own: PeriodReturns,
  period: Trial['period'],
  trials: readonly Trial[],
  { estimate, sampleMs }: Deflated = { estimate: estimateOf(own.values), sampleMs: own.sampleMs },
): Deflation {
  const isComparable = (trial: Trial): boolean =>
    trial.returns.sampleMs === own.sampleMs &&
    trial.returns.values.length === own.values.length &&
    trial.period.from === period.from;
  // The same to the last digit in whatever order the trials ended.
  const sorted = trials.toSorted((a, b) => (a.runHash < b.runHash ? -1 : 1));
  const ideas = distinct(sorted);
  const rows = ideas.filter(isComparable).map(({ returns }) => returns.values);
  const correlated = rows.slice(0, CORRELATED_MAX);
  const scale = correlated.length === 0 ? 1 : rows.length / correlated.length;
  const elsewhere = trials.filter((trial) => !isComparable(trial)).length;
  const effective = Math.max(1, effectiveTrials(correlated) * scale + elsewhere);
  const count = { trials: trials.length, effectiveTrials: effective };
  if (estimate === null) return { ...count, dsr: null, minBacktestYears: null };
  const measured = ideas
    .filter((trial) => isComparable(trial) || trial.returns.values.length >= RETURNS_MIN)
    .map(({ returns }) => returns.values);
  const trialStd = spreadOf(measured, own.values.length) ?? (effective > ONE ? null : 0);
  const isLong = period.to - period.from >= MIN_ANNUAL_MS;
  return {
    ...count,
    // Sharpe ratios grow with the root of the period.
    dsr: trialStd === null ? null : deflatedSharpe(estimate, effective, trialStd * Math.sqrt(sampleMs / own.sampleMs)),
    minBacktestYears: isLong ? minBacktestYears(effective, estimate.sharpe * Math.sqrt(YEAR_MS / sampleMs)) : null,
  };
}

/**
 * The first of all trials that have the same returns over the same period: parameters without an effect, or that never trade.
 * They are no tries more, and would hide both how many others there are among those that are correlated and how far these spread.
 */
function distinct(trials: readonly Trial[]): readonly Trial[] {
  const seen = new Set<string>();
  return trials.filter(({ period: { from }, returns: { sampleMs, values } }) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const key = `${from} ${sampleMs} ${createHash('sha256').update(bytes).digest('base64')}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Standard deviation of the Sharpe ratios of trials, per period of a run of so many; null for fewer than two. Luck alone gives
 * SR·√T the same spread at every length T and step: a trial that was stopped early by a search strays further, and would count
 * for more than it is worth; those that survived alone would count for less.
 */
function spreadOf(rows: readonly Float64Array[], periods: number): number | null {
  return momentsOf(rows.map((row) => (periodSharpe(row, 0) ?? 0) * Math.sqrt(row.length / periods))).std;
}
