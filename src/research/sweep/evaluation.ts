/** Plain data exchanged with workers. */
import type { Config } from '../../session/config/schema.ts';
import type { SharedTape } from '../../recording/tape/tape.ts';
import type { Inputs } from '../../strategy/inputs/input-log.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { MetricValues } from './metrics.ts';
import type { ParamValue } from './space.ts';

/** Shared by all trials; sent to each worker once. */
export interface SweepGround {
  readonly file: string | undefined;
  /** `--param` texts that are not searched. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly data: readonly string[];
  /** Null: workers read from disk. */
  readonly shared: readonly SharedTape[] | null;
  readonly seed: number;
  /** Process arguments that strategies see on every thread. */
  readonly argv: readonly string[];
}

export interface Job {
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Overrides the configured venue. */
  readonly simulation?: SimulationOptions;
}

export type Evaluation =
  | {
      readonly kind: 'done';
      readonly metrics: MetricValues;
      readonly trial: Trial;
      /** Code hashes as loaded, before `setup`; per strategy, in order. */
      readonly code: readonly string[];
      /** Inputs per strategy, in order. */
      readonly inputs: readonly Inputs[];
      readonly wallMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Result from a thread. */
export interface Evaluated {
  readonly evaluation: Evaluation;
  /** Source bytes loaded; Node keeps them for the thread's life. */
  readonly loadedBytes: number;
  /** The thread is changed and must not run another trial. */
  readonly isSpoilt: boolean;
}

/** Runs one trial; tests do so in place. */
export type Evaluate = (job: Job) => Promise<Evaluation>;
