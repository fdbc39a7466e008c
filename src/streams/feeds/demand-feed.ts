/** Market data that is delivered when somebody reads it. */
import type { SeenTop } from '../market-values.ts';

/** Events that wait until a price is read. */
export interface DemandFeed {
  /** Delivers those that are due. Called before every read or subscription that `glance` does not answer. */
  deliver(): void;
  /**
   * The best prices of the only symbol without its events; undefined while its book is not usable, null: not known. Valid
   * until the next call.
   */
  glance(): SeenTop | undefined | null;
  /** Delivers what was due at the last glance. */
  settle(): void;
}

/** A feed whose events all arrive at their time. */
export const FED: DemandFeed = { deliver: () => {}, glance: () => null, settle: () => {} };
