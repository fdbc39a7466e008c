/** What goes to a worker and comes back; plain data, cloned between threads. */
import type { Config } from '../../session/config/schema.ts';
import type { SharedTape } from '../../recording/tape.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { MetricValues } from './metrics.ts';
import type { ParamValue } from './space.ts';

/** The same for all trials of a search; given to each worker once. */
export interface SweepGround {
  readonly file: string | undefined;
  /** `--param` texts that are not searched. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly data: readonly string[];
  /** Null: every worker reads the data from the disk. */
  readonly shared: readonly SharedTape[] | null;
  readonly seed: number;
}

export interface Job {
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Another venue than the configured one. */
  readonly simulation?: SimulationOptions;
}

export type Evaluation =
  | { readonly kind: 'done'; readonly metrics: MetricValues; readonly trial: Trial; readonly wallMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs one trial; `worker-pool.ts` does so on threads, tests in place. */
export type Evaluate = (job: Job) => Promise<Evaluation>;
