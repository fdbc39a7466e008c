/** What the returns of a run and of the trials around it say: every statistic, or why it cannot be had. Pure but for chance. */
import { messageOf } from '../../model/errors.ts';
import type { Random } from '../../model/ports.ts';
import { momentsOf } from '../../statistics/moments.ts';
import { backtestOverfitting } from '../../statistics/overfitting/backtest-overfitting.ts';
import { bootstrapBands } from '../../statistics/overfitting/bootstrap-bands.ts';
import { superiorAbility } from '../../statistics/overfitting/superior-ability.ts';
import { walkForward, type WalkForwardOptions } from '../../statistics/overfitting/walk-forward.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { minTrackRecord, probabilisticSharpe } from '../../statistics/significance.ts';
import { deflate } from '../ledger/deflate.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { MetricValues } from '../sweep/metrics.ts';
import type { OverfittingOutcome, Skipped, ValidationResult } from './result.ts';

const HISTOGRAM_BINS = 24;
const CLOUD_MAX = 600;
/** Below, skewness and kurtosis are noise. */
const PERIODS_MIN = 16;

type Base = ValidationResult['base'];

export function baseEvidence(
  metrics: MetricValues,
  returns: PeriodReturns,
  period: Trial['period'],
  onData: readonly Trial[],
): Base {
  const { values, sampleMs } = returns;
  const { skew, kurtosis } = momentsOf(values);
  const sharpe = periodSharpe(values, 0);
  const { trials, effectiveTrials, dsr, minBacktestYears } = deflate(returns, period, onData);
  const enough = sharpe !== null && skew !== null && kurtosis !== null && values.length >= PERIODS_MIN;
  const estimate = enough ? { sharpe, skew, kurtosis, samples: values.length } : null;
  return {
    metrics,
    periods: values.length,
    sampleMs,
    sharpePerPeriod: sharpe,
    psr: estimate === null ? null : probabilisticSharpe(estimate),
    dsr: estimate === null ? null : dsr,
    trialsOnData: trials,
    effectiveTrials,
    minTrackRecordPeriods: estimate === null ? null : minTrackRecord(estimate),
    minBacktestYears,
  };
}

/** The part, or the reason that its statistic gives for not being had. */
function tried<Part>(make: () => Part): Part | Skipped {
  try {
    return make();
  } catch (thrown) {
    return { skipped: messageOf(thrown) };
  }
}

export function bandsOf(returns: PeriodReturns, random: Random): ValidationResult['bands'] {
  if (returns.values.length < PERIODS_MIN) return { skipped: `${returns.values.length} returns are too few` };
  return tried(() => bootstrapBands(returns.values, random));
}

/** `rows`: of `candidateRows`; of the one strategy alone without a search. */
export function walkOf(rows: readonly Float64Array[], options: WalkForwardOptions): ValidationResult['walkForward'] {
  return tried(() => ({ ...walkForward(rows, options), mode: options.mode, trials: rows.length }));
}

const NO_SEARCH = 'needs the trials of a search: give --space';
const NO_OTHERS = 'no other trial of the search ran over all of the data and keeps the constraints';

export function overfittingOf(rows: readonly Float64Array[], hasSearched: boolean): ValidationResult['overfitting'] {
  if (rows.length < 2) return { skipped: hasSearched ? NO_OTHERS : NO_SEARCH };
  return tried((): OverfittingOutcome => {
    const { pbo, lossShare, splits, logits, inSample, outOfSample } = backtestOverfitting(rows);
    const low = Math.min(...logits.values());
    const high = Math.max(...logits.values());
    const counts = Array.from({ length: HISTOGRAM_BINS }, () => 0);
    for (const logit of logits) {
      const bin = high > low ? Math.floor(((logit - low) / (high - low)) * HISTOGRAM_BINS) : 0;
      counts[Math.min(HISTOGRAM_BINS - 1, bin)]!++;
    }
    const every = Math.max(1, Math.ceil(splits / CLOUD_MAX));
    const cloud = Array.from({ length: Math.ceil(splits / every) }, (_, index) => {
      const at = index * every;
      return [inSample[at]!, outOfSample[at]!] as const;
    });
    return { pbo, lossShare, trials: rows.length, splits, histogram: { low, high, counts }, cloud };
  });
}

export function abilityOf(
  rows: readonly Float64Array[],
  hasSearched: boolean,
  random: Random,
): ValidationResult['superiorAbility'] {
  if (rows.length < 2) return { skipped: hasSearched ? NO_OTHERS : NO_SEARCH };
  return tried(() => superiorAbility(rows, random));
}
