/** The outcome of a validation, as `--result` writes it. */
import type { BootstrapBands } from '../../statistics/overfitting/bootstrap-bands.ts';
import type { BestOfMany } from '../../statistics/overfitting/best-of-many.ts';
import type { ShiftReport } from '../../statistics/overfitting/shift-test.ts';
import type { Fold, WalkForward, WalkForwardMode } from '../../statistics/overfitting/walk-forward.ts';
import type { CountedIn } from '../../session/result/result.ts';
import type { MetricValues } from '../sweep/metrics.ts';
import type { LookAheadProof } from './look-ahead.ts';
import type { Verdict } from './verdict.ts';

export interface Period {
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
}

/** A part that could not be done, and why. */
export interface Skipped {
  readonly skipped: string;
}

export interface StressOutcome {
  readonly name: string;
  readonly change: string;
  /** Null when the run failed. */
  readonly metrics: MetricValues | null;
  readonly reason: string | null;
}

/** PBO from the trials of the search. */
export interface OverfittingOutcome {
  readonly pbo: number;
  readonly lossShare: number;
  readonly trials: number;
  readonly splits: number;
  /** Split counts by logit, in equal parts from `low` to `high`. */
  readonly histogram: { readonly low: number; readonly high: number; readonly counts: readonly number[] };
  /** Thinned Sharpe ratios. */
  readonly cloud: readonly (readonly [inSample: number, outOfSample: number])[];
}

export interface NamedFold extends Omit<Fold, 'chosen'> {
  /** Number of the chosen trial in the search; null: the parameters as given. */
  readonly chosen: number | null;
  /** Of that trial, those that were searched. Absent in older files, whose `chosen` is a row of no list. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** `trial 3: fast 12, slow 26`; null: nothing was searched, or it is not known. */
export function chosenText({ chosen, params }: NamedFold): string | null {
  if (chosen === null || params === undefined) return null;
  const named = Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);
  return `trial ${chosen}: ${named.join(', ')}`;
}

export interface ValidationResult {
  readonly command: 'validate';
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly runHash: string | null;
  readonly seed: number;
  readonly verdict: Verdict;
  /** All data, the examined part, the reserved part. */
  readonly period: Period;
  readonly research: Period;
  readonly lockbox: Period & {
    /** Null while closed. */
    readonly metrics: MetricValues | null;
    /** Including this one. */
    readonly openings: number;
    readonly seenBy: number;
  };
  readonly base: {
    readonly metrics: MetricValues;
    /** Return grid: number and length. */
    readonly periods: number;
    readonly sampleMs: number;
    readonly sharpePerPeriod: number | null;
    readonly psr: number | null;
    readonly dsr: number | null;
    /** Best of all tries on these data. */
    readonly maxTPValue: number | null;
    readonly trialsOnData: number;
    readonly effectiveTrials: number | null;
    readonly minTrackRecordPeriods: number | null;
    readonly minBacktestYears: number | null;
  };
  /** Source of the trial count in `base`. Absent in older files. */
  readonly ledger?: CountedIn;
  readonly bestOfMany: BestOfMany | Skipped;
  readonly bands: BootstrapBands | Skipped;
  readonly permutation: ShiftReport | Skipped;
  readonly walkForward:
    | (Omit<WalkForward, 'folds'> & {
        readonly folds: readonly NamedFold[];
        readonly mode: WalkForwardMode;
        readonly trials: number;
      })
    | Skipped;
  readonly overfitting: OverfittingOutcome | Skipped;
  readonly stress: readonly StressOutcome[];
  readonly lookAhead: LookAheadProof;
  readonly wallMs: number;
  readonly warnings: readonly string[];
  readonly files: { readonly report: string | null; readonly result: string | null };
}

export function isSkipped<Part extends object>(part: Part | Skipped): part is Skipped {
  return 'skipped' in part;
}
