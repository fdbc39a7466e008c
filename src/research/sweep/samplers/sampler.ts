/**
 * What every search method is: it is asked for points of the unit cube and told how they came out. Points are told in the
 * order in which they were asked for, batch by batch, so that a search is the same with any number of workers and
 * after any interruption.
 */
import type { Judgement } from '../judgement.ts';
import type { UnitPoint } from '../space.ts';

export interface Evaluated {
  readonly point: UnitPoint;
  readonly judgement: Judgement;
}

export interface Sampler {
  /** Points that may be asked for before any is told; Infinity when the method does not learn. */
  readonly batch: number;
  /** At most `count` points, fewer at the end of what there is. */
  ask(count: number): readonly UnitPoint[];
  tell(evaluated: readonly Evaluated[]): void;
}
