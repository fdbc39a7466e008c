/**
 * One bug of the catalogue (reliability §1), as text that is replaced in one file while it is loaded. The tree itself is
 * never changed, and production code knows nothing of it. Every `find` must occur exactly once: a mutant that does not
 * apply any more fails instead of passing for a tested one.
 */
import type { FaultKind } from '../world/fault-plan.ts';

export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant extends Edit {
  /** Unique; what goes wrong, in short. */
  readonly id: string;
  /** Entry of the catalogue, or the invariant. */
  readonly catalogue: string;
  /** What the code does wrongly. */
  readonly what: string;
  /** Where one edit is not enough, because a second defence stands behind the first. */
  readonly more?: readonly Edit[];
  /** Limits and capacities set so tight that the bug shows; the code as it is keeps every law with them as well. */
  readonly knobs?: readonly Edit[];
  /** A perpetual is traded; spot alone otherwise, whatever the seed draws. */
  readonly futures?: true;
  /** Share of order programs among the decisions of one strategy. */
  readonly programs?: number;
  /** Share of transfers among them. */
  readonly transfers?: number;
  /** Share of the seconds in which a human moves money. */
  readonly money?: number;
  /** A human is asked where the fault model says so; without it what a human would mend is a bug as well. */
  readonly asks?: true;
  /** That in a world which is made to lose the account. */
  readonly ruin?: true;
  /** A world without any fault but these. */
  readonly calm?: true;
  /** Faults that this bug needs, with their chances, beside those that a seed draws. */
  readonly faults?: Partial<Readonly<Record<FaultKind, number>>>;
  /** They begin after so many seconds: what the bug spoils must have come to stand first. */
  readonly faultsFromS?: number;
}

export function editsOf(mutant: Mutant): readonly Edit[] {
  return [mutant, ...(mutant.more ?? [])];
}
