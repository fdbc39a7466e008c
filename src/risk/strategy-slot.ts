/** A strategy of a session. */
import type { StrategyLimits } from './options.ts';

export interface StrategySlot {
  /** Unique in the session; scope of positions, orders, state and limits. */
  readonly tag: string;
  /** Name in the strategy file; refs are `<name>-<n>`. */
  readonly name: string;
  readonly limits: StrategyLimits;
  /** Identifies code and parameters. */
  readonly version?: string;
  /** Not approved, so it trades with a share of its limits (`risk.canary`). */
  readonly onTrial?: boolean;
  /** A position without an exit raises an alarm (`risk.unprotectedMs`). */
  readonly protect?: boolean;
}
