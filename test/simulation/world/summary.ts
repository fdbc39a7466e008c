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

/** What the command was given: hours of faults, and what its worlds bring beside what their seeds draw. */
interface Given {
  readonly hours: number;
  readonly crowd?: number;
  readonly programs?: number;
  readonly transfers?: number;
  readonly money?: number;
}

export class Summarizer {
  readonly #hash = createHash('sha256');
  readonly #reached = new Set<string>();
  readonly #violated: ViolatedSeed[] = [];
  readonly #classes = { A: 0, B: 0, byWord: 0 };
  readonly #given: Given;
  #seeds = 0;
  #virtualHours = 0;
  #events = 0;

  constructor(given: Given) {
    this.#given = given;
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
    const { hours } = this.#given;
    const given = (['crowd', 'programs', 'transfers', 'money'] as const).map((name) => {
      const value = this.#given[name] ?? 0;
      return value > 0 ? ` --${name} ${value}` : '';
    });
    const command = `npm run simulate -- --first-seed ${seed} --seeds 1 --hours ${hours}${given.join('')}`;
    const out = faultKinds.filter((kind) => kind in plan && shrunk?.includes(kind) === false);
    return out.length === 0 ? command : `${command} --without ${out.join()}`;
  }
}
