/** What goes to a worker and comes back; plain data, cloned between threads. */
import type { Config } from '../../session/config/schema.ts';
import type { SharedTape } from '../../recording/tape.ts';
import type { Inputs } from '../../strategy/inputs/input-log.ts';
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
  /** What strategies see as arguments of the process, the same on each thread. */
  readonly argv: readonly string[];
}

export interface Job {
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Another venue than the configured one. */
  readonly simulation?: SimulationOptions;
}

export type Evaluation =
  | {
      readonly kind: 'done';
      readonly metrics: MetricValues;
      readonly trial: Trial;
      /** What its strategies read beside their code, in their order. */
      readonly inputs: readonly Inputs[];
      readonly wallMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** As it comes from a thread. */
export interface Evaluated {
  readonly evaluation: Evaluation;
  /** Sources that were loaded for it: Node keeps what it made of them for as long as the thread lives. */
  readonly loadedBytes: number;
  /** Another trial would not come out on this thread as it does on a new one. */
  readonly isSpoilt: boolean;
}

/** Runs one trial; `worker-pool.ts` does so on threads, tests in place. */
export type Evaluate = (job: Job) => Promise<Evaluation>;
