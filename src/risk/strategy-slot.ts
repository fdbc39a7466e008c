/** A strategy of a session, as the executor and its limits know it. */
import type { StrategyLimits } from './options.ts';

export interface StrategySlot {
  /** Unique in the session; scope of positions, orders, state and limits. */
  readonly tag: string;
  /** Name in the strategy file; refs are `<name>-<n>`. */
  readonly name: string;
  readonly limits: StrategyLimits;
  /** What tells this version of code and parameters from another. */
  readonly version?: string;
  /** Nobody has approved this version: it trades with a share of its limits (`risk.canary`). */
  readonly onTrial?: boolean;
}
