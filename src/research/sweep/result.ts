/** The outcome of a search, as `--result` writes it and the report shows it. Plain data. */
import type { CountedIn } from '../../session/result.ts';
import type { SpaceDocument } from './space.ts';
import type { Landscape } from './landscape.ts';
import type { Method } from './methods.ts';
import type { MetricValues } from './metrics.ts';
import type { SearchTrial } from './search.ts';

export interface SweepTrial extends Pick<SearchTrial, 'number' | 'params' | 'state' | 'share' | 'runHash' | 'reason'> {
  readonly metrics: MetricValues;
  /** All constraints hold. */
  readonly feasible: boolean;
  /** Coordinates in [0, 1), in the order of the parameters. */
  readonly point: readonly number[];
}

/** How much of the best result may be the luck of the search. */
export interface SearchLuck {
  /** Trials that the ledger knows on these data, of this search and all before it. */
  readonly trialsOnData: number;
  readonly effectiveTrials: number | null;
  /** Of the best trial, per period of the comparison grid. */
  readonly dsr: number | null;
  readonly minBacktestYears: number | null;
  /** Over the trials that ran on all of the data and keep the constraints. */
  readonly pbo: number | null;
  /** Periods of the comparison grid and their length. */
  readonly periods: number;
  readonly sampleMs: number | null;
}

export interface SweepResult {
  readonly command: 'sweep';
  readonly strategy: string;
  /** Hash of everything that decides the trials: the same command goes on with the same search. */
  readonly study: string;
  readonly method: Method;
  readonly seed: number;
  readonly halving: boolean;
  readonly period: { readonly from: number; readonly to: number };
  /** What no trial has seen; null where the search ran over all of the data. Absent in files of earlier versions. */
  readonly lockbox?: { readonly from: number; readonly to: number } | null;
  readonly space: SpaceDocument;
  readonly counts: {
    readonly asked: number;
    readonly done: number;
    readonly pruned: number;
    readonly failed: number;
    readonly infeasible: number;
    /** Taken from an earlier, interrupted run of the same search. */
    readonly resumed: number;
  };
  /** The best feasible trial by the first objective, or null. */
  readonly best: SweepTrial | null;
  /** Several objectives: trials that no other dominates. One: the best alone. */
  readonly front: readonly SweepTrial[];
  readonly landscape: Landscape;
  readonly luck: SearchLuck;
  /** What `luck` was counted from. Absent in files of earlier versions. */
  readonly ledger?: CountedIn;
  readonly trials: readonly SweepTrial[];
  readonly workers: number;
  readonly wallMs: number;
  readonly trialsPerMinute: number;
  readonly interrupted: boolean;
  readonly warnings: readonly string[];
  readonly files: { readonly report: string | null; readonly result: string | null };
}

/** `--json`: everything but the list of all trials. */
export function summaryOfSweep(result: SweepResult): Omit<SweepResult, 'trials'> {
  const { trials: _, ...rest } = result;
  return rest;
}
