/** The outcome of a search, as `--result` writes it. */
import type { CountedIn } from '../../session/result/result.ts';
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

/** How much of the best result may be luck. */
export interface SearchLuck {
  /** In the ledger, of this and earlier searches. */
  readonly trialsOnData: number;
  readonly effectiveTrials: number | null;
  /** Of the best trial, per grid period. */
  readonly dsr: number | null;
  readonly minBacktestYears: number | null;
  /** Over complete feasible trials. */
  readonly pbo: number | null;
  /** Periods of the comparison grid and their length. */
  readonly periods: number;
  readonly sampleMs: number | null;
}

export interface SweepResult {
  readonly command: 'sweep';
  readonly strategy: string;
  /** Decides the trials; a repeated command continues it. */
  readonly study: string;
  readonly method: Method;
  readonly seed: number;
  readonly halving: boolean;
  readonly period: { readonly from: number; readonly to: number };
  /** Unseen data; null without a lockbox. Absent in older files. */
  readonly lockbox?: { readonly from: number; readonly to: number } | null;
  readonly space: SpaceDocument;
  readonly counts: {
    readonly asked: number;
    readonly done: number;
    readonly pruned: number;
    readonly failed: number;
    readonly infeasible: number;
    /** Trials taken from an interrupted run. */
    readonly resumed: number;
  };
  /** Best feasible trial by the first objective. */
  readonly best: SweepTrial | null;
  /** Undominated trials; with one objective the best alone. */
  readonly front: readonly SweepTrial[];
  readonly landscape: Landscape;
  readonly luck: SearchLuck;
  /** Source of `luck`. Absent in older files. */
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
