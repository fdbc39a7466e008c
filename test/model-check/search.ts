/**
 * Looks for a sequence that fails: fast-check draws them from a seed, the first failing one is made small by leaving out
 * ever smaller parts as long as it still fails. What is left is JSON that `play` takes again.
 */
import fc from 'fast-check';
import { areas, type AreaName } from './areas.ts';
import { Mismatch } from './mismatch.ts';
import { play, type Step, type Tamper } from './session.ts';

const LENGTH_MIN = 30;
const LENGTH_MAX = 60;
const PICKS_TRIED = 4;

export interface SearchOptions {
  readonly area: AreaName;
  readonly sequences: number;
  readonly seed: number;
  readonly tamper?: Tamper;
  readonly onSequence?: (done: number) => void;
}

export interface Failure {
  /** Of the small sequence. */
  readonly message: string;
  readonly steps: readonly Step[];
}

export interface SearchResult {
  readonly sequences: number;
  readonly commands: number;
  /** Commands and outcomes by how often they came. */
  readonly reached: ReadonlyMap<string, number>;
  readonly failure: Failure | null;
}

export function search({ area, sequences, seed, tamper, onSequence = () => {} }: SearchOptions): SearchResult {
  const reached = new Map<string, number>();
  let commands = 0;
  let done = 0;
  const steps = fc.array<Step>(areas[area], { minLength: LENGTH_MIN, maxLength: LENGTH_MAX, size: 'max' });
  const property = fc.property(steps, (drawn) => {
    play(drawn, reached, tamper);
    commands += drawn.length;
    onSequence(++done);
  });
  const { counterexample } = fc.check(property, { numRuns: sequences, seed, endOnFailure: true });
  const failure = counterexample === null ? null : shrink(counterexample[0], tamper);
  return { sequences: done, commands, reached, failure };
}

function fails(steps: readonly Step[], tamper: Tamper | undefined): string | null {
  try {
    play(steps, new Map(), tamper);
    return null;
  } catch (thrown) {
    return thrown instanceof Mismatch ? thrown.message : String(thrown);
  }
}

/** Leaves out ever smaller parts, lets picks point to what came first, and leaves out again. */
function shrink(drawn: readonly Step[], tamper: Tamper | undefined): Failure {
  const message = fails(drawn, tamper) ?? 'it does not fail again: something besides the steps decides';
  const shorter = leaveOut({ steps: drawn, message }, tamper);
  return leaveOut(pickFirst(shorter, tamper), tamper);
}

function leaveOut(found: Failure, tamper: Tamper | undefined): Failure {
  let { steps, message } = found;
  for (let part = Math.ceil(steps.length / 2); part >= 1; part = Math.floor(part / 2)) {
    for (let from = 0; from < steps.length;) {
      const shorter = [...steps.slice(0, from), ...steps.slice(from + part)];
      const again = shorter.length === 0 ? null : fails(shorter, tamper);
      if (again === null) from += part;
      else {
        steps = shorter;
        message = again;
      }
    }
  }
  return { steps, message };
}

function pickFirst(found: Failure, tamper: Tamper | undefined): Failure {
  let { steps, message } = found;
  for (const [index, step] of steps.entries()) {
    for (let pick = 0; 'pick' in step && pick < Math.min(step.pick, PICKS_TRIED); pick++) {
      const simpler = steps.with(index, { ...step, pick });
      const again = fails(simpler, tamper);
      if (again === null) continue;
      steps = simpler;
      message = again;
      break;
    }
  }
  return { steps, message };
}
