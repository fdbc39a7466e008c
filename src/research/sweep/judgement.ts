/** Comparison of trials. An undefined metric loses to every number; a trial without trades is never best. */
import type { MetricValues } from './metrics.ts';
import type { Constraint, Objective } from './space.ts';

export interface Judgement {
  /** Per objective, greater is better; −Infinity when undefined. */
  readonly scores: readonly number[];
  /** 0 when all constraints hold, else the sum of relative shortfalls. */
  readonly violation: number;
}

/** Worse than every trial that ran. */
export const FAILED: Judgement = Object.freeze({ scores: [], violation: Number.POSITIVE_INFINITY });

export function judge(
  metrics: MetricValues,
  objectives: readonly Objective[],
  constraints: readonly Constraint[],
): Judgement {
  if (metrics['volume'] === 0) return { scores: objectives.map(() => -Infinity), violation: Infinity };
  return {
    scores: objectives.map(({ metric, direction }) => {
      const value = metrics[metric] ?? null;
      if (value === null) return Number.NEGATIVE_INFINITY;
      return direction === 'maximize' ? value : -value;
    }),
    violation: constraints.reduce((sum, constraint) => sum + missing(metrics, constraint), 0),
  };
}

function missing(metrics: MetricValues, { metric, atLeast, atMost }: Constraint): number {
  const value = metrics[metric] ?? null;
  if (value === null) return 1;
  const below = atLeast === undefined ? 0 : Math.max(0, atLeast - value) / Math.max(1, Math.abs(atLeast));
  const above = atMost === undefined ? 0 : Math.max(0, value - atMost) / Math.max(1, Math.abs(atMost));
  return below + above;
}

/** Constrained dominance (Deb 2000): feasible first, then less violation, then Pareto. */
export function dominates(left: Judgement, right: Judgement): boolean {
  if (left.violation !== right.violation) return left.violation < right.violation;
  if (left.scores.length !== right.scores.length) return left.scores.length > right.scores.length;
  return (
    left.scores.every((score, index) => score >= right.scores[index]!) &&
    left.scores.some((score, index) => score > right.scores[index]!)
  );
}

/** Best first by the first objective; with several, by front, then first objective. */
export function compareJudgements(left: Judgement, right: Judgement): number {
  if (left.violation !== right.violation) return left.violation - right.violation;
  for (const [index, score] of left.scores.entries()) {
    const other = right.scores[index] ?? Number.NEGATIVE_INFINITY;
    if (score !== other) return score > other ? -1 : 1;
  }
  return 0;
}

/** Rising indices of undominated trials; memory is the front alone. */
export function firstFront(judgements: readonly Judgement[]): readonly number[] {
  const order = judgements.map((_, index) => index);
  const front: number[] = [];
  // Dominating trials come first in this order.
  for (const index of order.sort((a, b) => compareJudgements(judgements[a]!, judgements[b]!))) {
    if (!front.some((at) => dominates(judgements[at]!, judgements[index]!))) front.push(index);
  }
  return front.sort((a, b) => a - b);
}

/** Holds every dominating pair, so for a population only. */
export function fronts(judgements: readonly Judgement[]): readonly (readonly number[])[] {
  const dominated = judgements.map((_, index) =>
    judgements.flatMap((other, at) => (at !== index && dominates(judgements[index]!, other) ? [at] : [])),
  );
  const counts = judgements.map(() => 0);
  for (const row of dominated) for (const at of row) counts[at]!++;
  const result: number[][] = [];
  let front = counts.flatMap((count, index) => (count === 0 ? [index] : []));
  while (front.length > 0) {
    result.push(front);
    const next: number[] = [];
    for (const index of front) {
      for (const at of dominated[index]!) if (--counts[at]! === 0) next.push(at);
    }
    front = next.toSorted((a, b) => a - b);
  }
  return result;
}
