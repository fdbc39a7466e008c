/**
 * A search method: `ask` for points of the unit cube, `tell` results in the same order, so workers and interruptions do
 * not matter.
 */
import type { Judgement } from '../judgement.ts';
import type { UnitPoint } from '../space.ts';

export interface Evaluated {
  readonly point: UnitPoint;
  readonly judgement: Judgement;
}

export interface Sampler {
  /** Before results; Infinity when the method does not learn. */
  readonly batch: number;
  /** At most `count`; fewer at the end. */
  ask(count: number): readonly UnitPoint[];
  tell(evaluated: readonly Evaluated[]): void;
}
