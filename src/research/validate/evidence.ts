/** Statistics from the returns of a run and its trials, or why they are missing. */
import { messageOf } from '../../model/errors.ts';
import type { Random } from '../../model/ports.ts';
import type { TrialSeries } from '../../session/result/build-result.ts';
import { backtestOverfitting } from '../../statistics/overfitting/backtest-overfitting.ts';
import { bootstrapBands } from '../../statistics/overfitting/bootstrap-bands.ts';
import { bestOfMany } from '../../statistics/overfitting/best-of-many.ts';
import { shiftTest } from '../../statistics/overfitting/shift-test.ts';
import { walkForward, type WalkForwardOptions } from '../../statistics/overfitting/walk-forward.ts';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { periodSharpe } from '../../statistics/ratios.ts';
import { minTrackRecord, probabilisticSharpe } from '../../statistics/significance.ts';
import { deflate, estimateOf, triesOf, type Tries } from '../ledger/deflate.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { MetricValues } from '../sweep/metrics.ts';
import { candidatesOf, type Candidate, type SearchedTrial } from './candidates.ts';
import { isSkipped, type OverfittingOutcome, type Skipped, type ValidationResult } from './result.ts';

const HISTOGRAM_BINS = 24;
const CLOUD_MAX = 600;
/** With fewer, skewness and kurtosis are noise. */
const PERIODS_MIN = 16;

type Base = ValidationResult['base'];

/** The judged run and its trials. */
export interface Judged extends TrialSeries, Pick<Trial, 'period'> {
  readonly runHash: string | null;
  readonly metrics: MetricValues;
  /** Trials of the search that chose it; null without one. */
  readonly searched: readonly SearchedTrial[] | null;
  /** Every ledger trial on these data. */
  readonly onData: readonly Trial[];
  readonly walk: WalkForwardOptions;
}

export type Evidence = Pick<ValidationResult, 'base' | 'bestOfMany' | 'permutation' | 'walkForward' | 'overfitting'>;

/** Evidence of the verdict that needs no further run. */
export function evidenceOf(judged: Judged, random: Random): Evidence {
  const { runHash, period, returns, held, metrics, searched, onData, walk } = judged;
  const bestOfMany = bestOf(triesOf(returns, period, onData), random.fork('best of many'));
  const candidates = candidatesOf({ runHash, returns: returns.values }, searched ?? [], onData);
  const rows = candidates.map((one) => one.returns);
  return {
    base: baseEvidence(metrics, returns, period, onData, isSkipped(bestOfMany) ? null : bestOfMany.maxTPValue),
    bestOfMany,
    permutation: typeof held === 'string' ? { skipped: held } : shiftTest(held),
    walkForward: walkOf(candidates, walk),
    overfitting: overfittingOf(rows, searched !== null),
  };
}

function baseEvidence(
  metrics: MetricValues,
  returns: PeriodReturns,
  period: Trial['period'],
  onData: readonly Trial[],
  maxTPValue: number | null,
): Base {
  const { values, sampleMs } = returns;
  const { trials, effectiveTrials, dsr, minBacktestYears } = deflate(returns, period, onData);
  const estimate = values.length >= PERIODS_MIN ? estimateOf(values) : null;
  return {
    metrics,
    periods: values.length,
    sampleMs,
    sharpePerPeriod: periodSharpe(values, 0),
    psr: estimate === null ? null : probabilisticSharpe(estimate),
    dsr: estimate === null ? null : dsr,
    maxTPValue,
    trialsOnData: trials,
    effectiveTrials,
    minTrackRecordPeriods: estimate === null ? null : minTrackRecord(estimate),
    minBacktestYears,
  };
}

function bestOf({ rows, elsewhere }: Tries, random: Random): ValidationResult['bestOfMany'] {
  const periods = rows[0]?.length ?? 0;
  if (periods < PERIODS_MIN) return { skipped: `${periods} returns are too few` };
  return tried(() => bestOfMany(rows, random, { elsewhere }));
}

/** The part, or its error as the reason. */
function tried<Part>(make: () => Part): Part | Skipped {
  try {
    return make();
  } catch (thrown) {
    return { skipped: messageOf(thrown) };
  }
}

/** Not part of the verdict. */
export function bandsOf(returns: PeriodReturns, random: Random): ValidationResult['bands'] {
  if (returns.values.length < PERIODS_MIN) return { skipped: `${returns.values.length} returns are too few` };
  return tried(() => bootstrapBands(returns.values, random));
}

function walkOf(candidates: readonly Candidate[], options: WalkForwardOptions): ValidationResult['walkForward'] {
  return tried(() => {
    const { folds, ...walk } = walkForward(
      candidates.map(({ returns }) => returns),
      options,
    );
    const named = folds.map((fold) => {
      const { number: chosen = null, params = {} } = candidates[fold.chosen]?.trial ?? {};
      return { ...fold, chosen, params };
    });
    return { ...walk, folds: named, mode: options.mode, trials: candidates.length };
  });
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
