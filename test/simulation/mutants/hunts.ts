/**
 * Hunts of many mutants, in rounds: each that is not caught yet is hunted in a process of its own; then the code as it is
 * runs in the worlds that caught them, many to a process. Caught counts only where that keeps all laws; else the next
 * round goes on with the next seed. Used by `run.ts`.
 */
import { huntMutant, huntNothing, type Hunt, type HuntTask } from './hunt-mutant.ts';
import type { Mutant } from './mutant.ts';

/** All hunts of one mutant. */
export interface Told {
  readonly sum: Hunt;
  /** Seeds that caught it. */
  readonly seeds: readonly number[];
}

export interface HuntsOptions {
  readonly hours: number;
  /** Processes at a time. */
  readonly jobs: number;
  /** So many seeds of each. */
  readonly wanted: number;
  readonly say: (line: string) => void;
}

interface Quarry {
  readonly mutant: Mutant;
  left: readonly number[];
  caught: Hunt['caught'];
  readonly seeds: number[];
  tried: number;
  virtualHours: number;
  wallMs: number;
}

/** The code as it is and a world that caught a mutant of it. */
interface Doubt {
  readonly quarry: Quarry;
  readonly caught: NonNullable<Hunt['caught']>;
}

const WALL_MS_MAX = 1_800_000;
/** Controls of one process. */
const CONTROLS_MAX = 16;

export class MutantHunts {
  readonly #options: HuntsOptions;

  constructor(options: HuntsOptions) {
    this.#options = options;
  }

  async all(
    mutants: readonly Mutant[],
    seedsFor: (id: string) => readonly number[],
  ): Promise<ReadonlyMap<string, Told>> {
    const quarries = mutants.map((mutant) => quarryOf(mutant, seedsFor(mutant.id)));
    for (;;) {
      const open = quarries.filter(({ left, seeds }) => left.length > 0 && seeds.length < this.#options.wanted);
      if (open.length === 0) break;
      const doubts: Doubt[] = [];
      await this.#each(open, async (quarry) => {
        const caught = await this.#hunt(quarry);
        if (caught !== null) doubts.push({ quarry, caught });
      });
      await this.#each(groups(doubts), (group) => this.#control(group));
    }
    return toldOf(quarries);
  }

  /** The code as it is in the worlds of all: what is caught is a mistake. */
  async nothing(
    mutants: readonly Mutant[],
    seedsFor: (id: string) => readonly number[],
  ): Promise<ReadonlyMap<string, Told>> {
    const quarries = mutants.map((mutant) => quarryOf(mutant, seedsFor(mutant.id)));
    await this.#each(quarries, async (quarry) => {
      const [hunt] = await huntNothing([taskOf(quarry, quarry.left)], this.#plan);
      if (hunt !== undefined) count(quarry, hunt);
      quarry.caught = hunt?.caught ?? null;
    });
    return toldOf(quarries);
  }

  get #plan() {
    return { hours: this.#options.hours, wallMsMax: WALL_MS_MAX };
  }

  async #hunt(quarry: Quarry): Promise<Hunt['caught']> {
    const hunt = await huntMutant(taskOf(quarry, quarry.left), this.#plan);
    count(quarry, hunt);
    const { caught } = hunt;
    quarry.left = caught === null ? [] : quarry.left.slice(quarry.left.indexOf(caught.seed) + 1);
    this.#options.say(`${quarry.mutant.id}: ${caught === null ? 'nothing seen' : `seen in seed ${caught.seed}`}`);
    return caught;
  }

  async #control(group: readonly Doubt[]): Promise<void> {
    const hunts = await huntNothing(
      group.map(({ quarry, caught }) => taskOf(quarry, [caught.seed])),
      this.#plan,
    );
    for (const [index, { quarry, caught }] of group.entries()) {
      const control = hunts[index];
      if (control === undefined) throw new Error(`the control of ${quarry.mutant.id} has no answer`);
      quarry.wallMs += control.wallMs;
      const flaw = control.caught;
      if (flaw === null) {
        quarry.caught ??= caught;
        quarry.seeds.push(caught.seed);
      } else
        this.#options.say(`${quarry.mutant.id}: so does the code as it is in seed ${flaw.seed}: ${flaw.violation}`);
    }
  }

  async #each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = [...items];
    const take = async (): Promise<void> => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: this.#options.jobs }, take));
  }
}

function quarryOf(mutant: Mutant, left: readonly number[]): Quarry {
  return { mutant, left, caught: null, seeds: [], tried: 0, virtualHours: 0, wallMs: 0 };
}

function taskOf({ mutant }: Quarry, seeds: readonly number[]): HuntTask {
  return { id: mutant.id, seeds: seeds.join(',') };
}

function count(quarry: Quarry, hunt: Hunt): void {
  quarry.tried += hunt.seeds;
  quarry.virtualHours += hunt.virtualHours;
  quarry.wallMs += hunt.wallMs;
}

function toldOf(quarries: readonly Quarry[]): ReadonlyMap<string, Told> {
  return new Map(
    quarries.map(({ mutant, caught, seeds, tried, virtualHours, wallMs }) => [
      mutant.id,
      { sum: { id: mutant.id, seeds: tried, virtualHours, caught, wallMs }, seeds },
    ]),
  );
}

/** Of the same knobs, and not too many at once. */
function groups(doubts: readonly Doubt[]): readonly (readonly Doubt[])[] {
  const byKnobs = new Map<string, Doubt[][]>();
  for (const doubt of doubts) {
    const key = (doubt.quarry.mutant.knobs ?? []).map(({ file, find }) => `${file} ${find}`).join();
    const open = byKnobs.get(key) ?? [];
    byKnobs.set(key, open);
    const last = open.at(-1);
    if (last === undefined || last.length >= CONTROLS_MAX) open.push([doubt]);
    else last.push(doubt);
  }
  return [...byKnobs.values()].flat();
}
