/**
 * The operating characteristics of the verdict: how often strategies that are worth nothing are called more than weak, and how often
 * an edge of a known strength is seen. Every case has a seed of its own; a third of the nulls have returns of negative skew.
 */
import { runCase, type CaseOptions, type CaseOutcome } from './case.ts';
import { emptyTally, type Tally } from './tally.ts';
import { shapes } from './traders.ts';

export const strengths = [2, 3, 4.5, 6] as const;
/** The t of one who only holds. */
const RISES = 4;

export interface StudyRow {
  readonly name: string;
  readonly verdicts: Tally;
  readonly opened: Tally;
  /** Mean t of the trial that was judged. */
  readonly meanT: number;
}

/** Worth nothing before costs, and with a spread and fees; without them: fair games, the nearest to an edge that none comes. */
export function nullCases(perShape: number, hasFees: boolean): ReadonlyMap<string, readonly CaseOptions[]> {
  // Fair games take every second seed, so that both have the same markets.
  const cases = Array.from({ length: perShape }, (_, index) => (hasFees ? index : 2 * index));
  return grouped(
    shapes.flatMap((shape) =>
      cases.map((at) => ({ seed: 1 + at, shape, hasFees, hasFalls: at % 3 === 2, strength: 0 })),
    ),
    ({ shape, hasFalls }) => `${shape}${hasFalls ? ', negative skew' : ''}`,
  );
}

/** Worth nothing beside holding: long by its own rules in a market that rises by itself. */
export function risingCases(perShape: number): ReadonlyMap<string, readonly CaseOptions[]> {
  return grouped(
    shapes.flatMap((shape) =>
      Array.from({ length: perShape }, (_, index) => ({
        seed: 20_001 + index,
        shape,
        hasFees: true,
        hasFalls: false,
        rises: RISES,
        strength: 0,
      })),
    ),
    ({ shape }) => `${shape}, long only`,
  );
}

export function plantedCases(perStrength: number): ReadonlyMap<string, readonly CaseOptions[]> {
  return grouped(
    strengths.flatMap((strength) =>
      Array.from({ length: perStrength }, (_, index) => ({
        seed: 10_001 + index,
        shape: shapes[index % shapes.length]!,
        hasFees: Math.floor(index / shapes.length) % 2 === 1,
        hasFalls: false,
        strength,
      })),
    ),
    ({ strength, hasFees }) => `t ${strength}${hasFees ? ', with costs' : ''}`,
  );
}

function grouped(
  cases: readonly CaseOptions[],
  nameOf: (given: CaseOptions) => string,
): ReadonlyMap<string, readonly CaseOptions[]> {
  return Map.groupBy(cases, nameOf);
}

/** `onCase`: told of each as it has ended. */
export function studied(
  cases: ReadonlyMap<string, readonly CaseOptions[]>,
  onCase: (given: CaseOptions, outcome: CaseOutcome) => void = () => {},
): readonly StudyRow[] {
  return [...cases].map(([name, group]) => {
    const verdicts = emptyTally();
    const opened = emptyTally();
    let sum = 0;
    for (const given of group) {
      const outcome = runCase(given);
      verdicts[outcome.verdict.level]++;
      opened[outcome.opened.level]++;
      const { bestOfMany } = outcome.evidence;
      sum += 'skipped' in bestOfMany ? 0 : bestOfMany.t;
      onCase(given, outcome);
    }
    return { name, verdicts, opened, meanT: sum / group.length };
  });
}
