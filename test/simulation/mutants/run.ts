/**
 * `npm run simulate:mutants -- [--only id,id] [--fresh S] [--seeds N] [--hours H] [--jobs J] [--as-it-is] [--learn K] [--json]
 * [--markdown]`: every mutant of the table against the simulator. Known seeds are tried first, then `--seeds` further ones;
 * `--fresh S` leaves the known ones out and begins at seed S, to show that they are not luck. `--as-it-is` runs the same
 * worlds with the code as it is, where nothing may be caught. `--learn K` looks for K seeds of each and prints the table of
 * known ones. Exit code 1 when a mutant survives, or when the code as it is does not.
 */
import { parseArgs } from 'node:util';
import { huntMutant, type Hunt } from './hunt-mutant.ts';
import type { Mutant } from './mutant.ts';
import { knownSeedsTable, markdownTable, textRow } from './report.ts';
import { mutants } from './table/all.ts';
import { knownSeeds } from './table/known-seeds.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    fresh: { type: 'string' },
    seeds: { type: 'string', default: '40' },
    hours: { type: 'string', default: '0.1' },
    jobs: { type: 'string', default: '2' },
    learn: { type: 'string', default: '1' },
    'as-it-is': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const only = new Set(values.only.split(',').filter((id) => id !== ''));
const count = Number(values.seeds);
const hours = Number(values.hours);
const wanted = Number(values.learn);
const asItIs = values['as-it-is'];
const WALL_MS_MAX = 900_000;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

function seedsFor({ id }: Mutant): readonly number[] {
  const first = Number(values.fresh ?? 1);
  const range = Array.from({ length: count }, (_, index) => first + index);
  return values.fresh === undefined ? [...new Set([...(knownSeeds[id] ?? []), ...range])] : range;
}

/** All hunts of one mutant. */
interface Told {
  readonly sum: Hunt;
  /** Seeds that caught it. */
  readonly seeds: readonly number[];
}

/**
 * Caught counts only where the code as it is keeps the laws in the same world; else the hunt goes on with the next seed.
 */
async function hunt({ id }: Mutant, all: readonly number[]): Promise<Told> {
  const common = { hours, wallMsMax: WALL_MS_MAX, asItIs };
  const caught: NonNullable<Hunt['caught']>[] = [];
  let left = all;
  let virtualHours = 0;
  let wallMs = 0;
  let tried = 0;
  while (left.length > 0 && caught.length < wanted) {
    const last = await huntMutant(id, { ...common, seeds: left.join(',') });
    virtualHours += last.virtualHours;
    wallMs += last.wallMs;
    tried += last.seeds;
    const found = last.caught;
    left = found === null ? [] : left.slice(left.indexOf(found.seed) + 1);
    if (found === null) break;
    const control = asItIs ? null : await huntMutant(id, { ...common, seeds: String(found.seed), asItIs: true });
    wallMs += control?.wallMs ?? 0;
    const flaw = control?.caught ?? null;
    if (flaw === null) caught.push(found);
    else say(`${id}: the code as it is violates seed ${found.seed} too: ${flaw.violation}`);
  }
  const sum = { id, seeds: tried, virtualHours, wallMs, caught: caught[0] ?? null };
  return { sum, seeds: caught.map(({ seed }) => seed) };
}

const started = performance.now();
const queue = mutants.filter(({ id }) => only.size === 0 || only.has(id));
const hunts = new Map<string, Told>();

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const told = await hunt(mutant, seedsFor(mutant));
    hunts.set(mutant.id, told);
    say(textRow(mutant, told.sum));
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const done = mutants.filter(({ id }) => hunts.has(id));
const sums = new Map([...hunts].map(([id, { sum }]) => [id, sum]));
const survivors = done.filter(({ id }) => sums.get(id)?.caught === null).map(({ id }) => id);
const virtualHours = [...sums.values()].reduce((sum, told) => sum + told.virtualHours, 0);
const wallMs = Math.round(performance.now() - started);
if (values.markdown) process.stdout.write(markdownTable(done, sums));
if (wanted > 1) process.stdout.write(knownSeedsTable(new Map(done.map(({ id }) => [id, hunts.get(id)?.seeds ?? []]))));
if (values.json) {
  const answer = { mutants: done.length, survivors, virtualHours, wallMs, hunts: [...sums.values()] };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
say(
  `${done.length} mutants, ${done.length - survivors.length} caught, ${virtualHours.toFixed(1)} virtual h, ${Math.round(wallMs / 1000)} s${survivors.length === 0 ? '' : `, SURVIVED: ${survivors.join(', ')}`}`,
);
process.exitCode = survivors.length === (asItIs ? done.length : 0) ? 0 : 1;
