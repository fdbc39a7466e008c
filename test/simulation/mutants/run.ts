/**
 * `npm run simulate:mutants -- [--only id,id] [--fresh S] [--seeds N] [--hours H] [--jobs J] [--as-it-is] [--survivors]
 * [--json] [--markdown]`: every mutant of the table against the simulator. Known seeds are tried first, then `--seeds` further ones; `--fresh S` leaves
 * the known ones out and begins at seed S, to show that they are not luck. `--as-it-is` runs the same worlds with the code
 * as it is, where nothing may be caught. Exit code 1 when a mutant survives, or when the code as it is does not.
 */
import { parseArgs } from 'node:util';
import { huntMutant, type Hunt } from './hunt-mutant.ts';
import type { Mutant } from './mutant.ts';
import { markdownTable, textRow } from './report.ts';
import { mutants } from './table/all.ts';
import { survivors as uncaught } from './table/survivors.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    fresh: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    hours: { type: 'string', default: '0.1' },
    jobs: { type: 'string', default: '2' },
    'as-it-is': { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const only = new Set(values.only.split(',').filter((id) => id !== ''));
const count = Number(values.seeds);
const hours = Number(values.hours);
const asItIs = values['as-it-is'];
const WALL_MS_MAX = 900_000;

function seedsFor(mutant: Mutant): readonly number[] {
  const first = Number(values.fresh ?? 1);
  const range = Array.from({ length: count }, (_, index) => first + index);
  return values.fresh === undefined ? [...new Set([mutant.seed, ...range])] : range;
}

/**
 * Caught counts only where the code as it is keeps the laws in the same world; else the hunt goes on with the next seed.
 */
async function hunt(mutant: Mutant): Promise<Hunt> {
  const common = { hours, wallMsMax: WALL_MS_MAX, asItIs };
  let seeds = seedsFor(mutant);
  let virtualHours = 0;
  let wallMs = 0;
  let tried = 0;
  for (;;) {
    const last = await huntMutant(mutant.id, { ...common, seeds: seeds.join(',') });
    virtualHours += last.virtualHours;
    wallMs += last.wallMs;
    tried += last.seeds;
    const sum = { ...last, virtualHours, wallMs, seeds: tried };
    const { caught } = last;
    if (caught === null || asItIs) return sum;
    const control = await huntMutant(mutant.id, { ...common, seeds: String(caught.seed), asItIs: true });
    if (control.caught === null) return sum;
    say(`${mutant.id}: the code as it is violates seed ${caught.seed} too: ${control.caught.violation}`);
    seeds = seeds.slice(seeds.indexOf(caught.seed) + 1);
    if (seeds.length === 0) return { ...sum, caught: null };
  }
}

const table = values.survivors ? uncaught : mutants;
const queue = table.filter(({ id }) => only.size === 0 || only.has(id));
const hunts = new Map<string, Hunt>();
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const told = await hunt(mutant);
    hunts.set(mutant.id, told);
    say(textRow(mutant, told));
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const done = table.filter(({ id }) => hunts.has(id));
const survivors = done.filter(({ id }) => hunts.get(id)?.caught === null).map(({ id }) => id);
if (values.markdown) process.stdout.write(markdownTable(done, hunts));
if (values.json)
  process.stdout.write(`${JSON.stringify({ mutants: done.length, survivors, hunts: [...hunts.values()] })}\n`);
say(
  `${done.length} mutants, ${done.length - survivors.length} caught${survivors.length === 0 ? '' : `, SURVIVED: ${survivors.join(', ')}`}`,
);
process.exitCode = survivors.length === (asItIs ? done.length : 0) ? 0 : 1;
