/**
 * `npm run simulate:mutants -- [--only id,id] [--fresh S] [--seeds N] [--hours H] [--jobs J] [--as-it-is] [--json] [--markdown]`: every
 * mutant of the table against the simulator. Known seeds are tried first, then `--seeds` further ones; `--fresh S` leaves
 * the known ones out and begins at seed S, to show that they are not luck. `--as-it-is` runs the same worlds with the code
 * as it is, where nothing may be caught. Exit code 1 when a mutant survives, or when the code as it is does not.
 */
import { parseArgs } from 'node:util';
import { huntMutant, type Hunt } from './hunt-mutant.ts';
import type { Mutant } from './mutant.ts';
import { markdownTable, textRow } from './report.ts';
import { mutants } from './table/all.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    fresh: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    hours: { type: 'string', default: '0.1' },
    jobs: { type: 'string', default: '2' },
    'as-it-is': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const only = new Set(values.only.split(',').filter((id) => id !== ''));
const count = Number(values.seeds);
const hours = Number(values.hours);
const asItIs = values['as-it-is'];
const WALL_MS_MAX = 900_000;

function seedsFor(mutant: Mutant): string {
  if (values.fresh !== undefined) return `${values.fresh}-${Number(values.fresh) + count - 1}`;
  return `${mutant.seed},1-${count}`;
}

const queue = mutants.filter(({ id }) => only.size === 0 || only.has(id));
const hunts = new Map<string, Hunt>();
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const hunt = await huntMutant(mutant.id, { seeds: seedsFor(mutant), hours, wallMsMax: WALL_MS_MAX, asItIs });
    hunts.set(mutant.id, hunt);
    say(textRow(mutant, hunt));
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const done = mutants.filter(({ id }) => hunts.has(id));
const survivors = done.filter(({ id }) => hunts.get(id)?.caught === null).map(({ id }) => id);
if (values.markdown) process.stdout.write(markdownTable(done, hunts));
if (values.json)
  process.stdout.write(`${JSON.stringify({ mutants: done.length, survivors, hunts: [...hunts.values()] })}\n`);
say(
  `${done.length} mutants, ${done.length - survivors.length} caught${survivors.length === 0 ? '' : `, SURVIVED: ${survivors.join(', ')}`}`,
);
process.exitCode = survivors.length === (asItIs ? done.length : 0) ? 0 : 1;
