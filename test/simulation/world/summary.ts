/**
 * The answer of `npm run simulate`: what was run, what was violated and how to repeat it, which rare states no seed
 * reached. The hash is over the hashes of all seeds, in their order.
 */
import { createHash } from 'node:crypto';
import { faultKinds, type FaultKind } from './fault-plan.ts';
import { rareStates } from './rare-states.ts';
import type { SeedAnswer } from './batch.ts';
import type { FaultClass } from './fault-class.ts';

export interface ViolatedSeed {
  readonly seed: number;
  readonly violations: readonly string[];
  /** One command that repeats it. */
  readonly replay: string;
  /** Kinds of faults that the failure needs; all of the seed's when it was not shrunk. */
  readonly faults: readonly string[];
}

export interface Summary {
  readonly seeds: number;
  readonly virtualHours: number;
  readonly events: number;
  readonly violations: readonly ViolatedSeed[];
  readonly unreached: readonly string[];
  /** Worlds of each class of docs/fault-model.md, by what struck in them, and how many of B agreed by the word of a human alone. */
  readonly classes: Readonly<Record<FaultClass | 'byWord', number>>;
  readonly traceHash: string;
  readonly wallMs: number;
}

export class Summarizer {
  readonly #hash = createHash('sha256');
  readonly #reached = new Set<string>();
  readonly #violated: ViolatedSeed[] = [];
  readonly #classes = { A: 0, B: 0, byWord: 0 };
  readonly #hours: number;
  readonly #crowd: number;
  readonly #programs: number;
  #seeds = 0;
  #virtualHours = 0;
  #events = 0;

  /** `hours` of faults and `crowd`, as the command was given. */
  constructor(hours: number, crowd = 0, programs = 0) {
    this.#programs = programs;
    this.#hours = hours;
    this.#crowd = crowd;
  }

  /** In the order of the seeds. Answers what was violated, or null. */
  add({ report, shrunk }: SeedAnswer): ViolatedSeed | null {
    const { seed, plan, rare, violations } = report;
    this.#seeds++;
    this.#virtualHours += report.hoursRun;
    this.#events += report.events;
    this.#classes[report.faultClass]++;
    if (report.neededWord) this.#classes.byWord++;
    this.#hash.update(report.traceHash).update('\n');
    for (const name of rare.keys()) this.#reached.add(name);
    if (violations.length === 0) return null;
    const faults = shrunk ?? Object.keys(plan);
    const violated = { seed, violations, replay: this.#replayOf(seed, plan, shrunk), faults };
    this.#violated.push(violated);
    return violated;
  }

  end(wallMs: number): Summary {
    return {
      seeds: this.#seeds,
      virtualHours: Number(this.#virtualHours.toFixed(3)),
      events: this.#events,
      violations: this.#violated,
      unreached: rareStates.filter((name) => !this.#reached.has(name)),
      classes: this.#classes,
      traceHash: this.#hash.digest('hex'),
      wallMs: Math.round(wallMs),
    };
  }

  /** The smallest plan that still fails; the whole one when it was not shrunk. */
  #replayOf(seed: number, plan: Readonly<Record<string, number>>, shrunk: readonly FaultKind[] | null): string {
    const crowd = this.#crowd > 0 ? ` --crowd ${this.#crowd}` : '';
    const command = `npm run simulate -- --first-seed ${seed} --seeds 1 --hours ${this.#hours}${crowd}${this.#programs > 0 ? ` --programs ${this.#programs}` : ''}`;
    const out = faultKinds.filter((kind) => kind in plan && shrunk?.includes(kind) === false);
    return out.length === 0 ? command : `${command} --without ${out.join()}`;
  }
}
