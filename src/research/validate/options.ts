/** Options of `validate`. */
import type { Clock } from '../../model/ports.ts';
import type { Config } from '../../session/config/schema.ts';
import type { WalkForwardOptions } from '../../statistics/overfitting/walk-forward.ts';
import type { Method } from '../sweep/methods.ts';
import type { SpaceDocument } from '../sweep/space.ts';

export interface ValidateOptions {
  readonly file: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly data: readonly string[];
  /** Starting currencies given by the user. */
  readonly startCurrencies?: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly seed: number;
  /** Searched first; default: the strategy as given. */
  readonly search?: { readonly space: SpaceDocument; readonly method: Method; readonly trials?: number };
  readonly walk: Pick<WalkForwardOptions, 'mode' | 'folds'> & { readonly purgeMs: number; readonly embargoMs: number };
  /** Share of the period reserved at its end. */
  readonly lockboxShare: number;
  readonly openLockbox: boolean;
  readonly workers: number;
  readonly trialTimeoutMs: number;
  readonly ledger: string;
  readonly clock: Clock;
  readonly progress?: (fraction: number) => void;
  readonly stopped: () => boolean;
}
