/**
 * `npm run simulate:mutants -- [--only id,id] [--fresh S] [--seeds N] [--hours H] [--jobs J] [--as-it-is] [--learn] [--json]
 * [--markdown]`: every mutant of the table against the simulator. Known seeds are tried first, then `--seeds` further ones;
 * `--fresh S` leaves the known ones out and begins at seed S, to show that they are not luck. `--as-it-is` runs the same
 * worlds with the code as it is, where nothing may be caught. `--learn` looks for three seeds of each and prints the table
 * of known ones. Exit code 1 when a mutant survives, or when the code as it is does not.
 */
import { parseArgs } from 'node:util';
import { MutantHunts } from './hunts.ts';
import { knownSeedsTable, markdownTable, textRow } from './report.ts';
import { mutants } from './table/all.ts';
import { knownSeeds } from './table/known-seeds.ts';

const LEARN = 3;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    fresh: { type: 'string' },
    seeds: { type: 'string', default: '40' },
    hours: { type: 'string', default: '0.1' },
    jobs: { type: 'string', default: '2' },
    learn: { type: 'boolean', default: false },
    'as-it-is': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const only = new Set(values.only.split(',').filter((id) => id !== ''));
const asItIs = values['as-it-is'];
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

function seedsFor(id: string): readonly number[] {
  const first = Number(values.fresh ?? 1);
  const range = Array.from({ length: Number(values.seeds) }, (_, index) => first + index);
  return values.fresh === undefined ? [...new Set([...(knownSeeds[id] ?? []), ...range])] : range;
}

const started = performance.now();
const chosen = mutants.filter(({ id }) => only.size === 0 || only.has(id));
const hunts = new MutantHunts({
  hours: Number(values.hours),
  jobs: Number(values.jobs),
  wanted: values.learn ? LEARN : 1,
  say,
});
const told = asItIs ? await hunts.nothing(chosen, seedsFor) : await hunts.all(chosen, seedsFor);
for (const mutant of chosen) {
  const hunt = told.get(mutant.id)?.sum;
  if (hunt !== undefined) say(textRow(mutant, hunt));
}
const sums = new Map([...told].map(([id, { sum }]) => [id, sum]));
const survivors = chosen.filter(({ id }) => sums.get(id)?.caught === null).map(({ id }) => id);
const virtualHours = [...sums.values()].reduce((sum, hunt) => sum + hunt.virtualHours, 0);
const wallMs = Math.round(performance.now() - started);
if (values.markdown) process.stdout.write(markdownTable(chosen, sums));
if (values.learn) process.stdout.write(knownSeedsTable(new Map([...told].map(([id, { seeds }]) => [id, seeds]))));
if (values.json) {
  const answer = { mutants: chosen.length, survivors, virtualHours, wallMs, hunts: [...sums.values()] };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
const left = survivors.length === 0 ? '' : `, SURVIVED: ${survivors.join(', ')}`;
say(
  `${chosen.length} mutants, ${chosen.length - survivors.length} caught, ${virtualHours.toFixed(1)} virtual h, ${Math.round(wallMs / 1000)} s${left}`,
);
process.exitCode = survivors.length === (asItIs ? chosen.length : 0) ? 0 : 1;
