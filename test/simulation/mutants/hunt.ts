/**
 * One process of a hunt: `node hunt.ts HOURS TASK…`, a task being `ID:SEEDS` (`SEEDS`: `3` or `3-20`, commas between). Loads
 * the live stack with the edits of the one mutant, then runs seed by seed until a law is violated. With `as-it-is` after
 * the hours the code has no mutant, in the same worlds: whatever a law says then is a mistake of the law, or a bug. That
 * may be many tasks, of mutants with the same knobs. Answers a line of JSON for each task.
 */
import { editsOf, type Mutant } from './mutant.ts';
import { patchSources } from './patch-source.ts';
import { mutants } from './table/all.ts';

const [hoursText = '0.1', how = '', ...tasks] = process.argv.slice(2);
const hours = Number(hoursText);
const wanted = tasks.map((task) => {
  const [id = '', seeds = '1-10'] = task.split(':');
  const mutant = mutants.find((row) => row.id === id);
  if (mutant === undefined) throw new Error(`no mutant "${id}"`);
  return { mutant, seeds: seedsOf(seeds) };
});
const [first] = wanted;
if (first === undefined) throw new Error('no task');
if (how === 'mutant' && wanted.length > 1) throw new Error('a process has one mutant');
if (wanted.some(({ mutant }) => JSON.stringify(mutant.knobs) !== JSON.stringify(first.mutant.knobs)))
  throw new Error('these mutants have other knobs');
patchSources([...(first.mutant.knobs ?? []), ...(how === 'mutant' ? editsOf(first.mutant) : [])]);

const { addFaults } = await import('./add-faults.ts');
const { simulate } = await import('../world/simulate.ts');
const { faultKinds } = await import('../world/fault-plan.ts');

/** Each once, in the order given. */
function seedsOf(text: string): ReadonlySet<number> {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const [from = 1, last = from] = part.split('-').map(Number);
    for (let seed = from; seed <= last; seed++) seeds.add(seed);
  }
  return seeds;
}

/** What a law says of this seed; undefined when all are kept. */
async function violationOf(mutant: Mutant, seed: number): Promise<{ hoursRun: number; violation: string | undefined }> {
  const report = await simulate({
    seed,
    hours,
    stopAtFirst: true,
    wordless: mutant.asks !== true,
    futures: mutant.futures ?? false,
    seldom: false,
    ruins: mutant.ruin,
    ...(mutant.programs === undefined ? {} : { programs: mutant.programs }),
    ...(mutant.transfers === undefined ? {} : { transfers: mutant.transfers }),
    ...(mutant.money === undefined ? {} : { money: mutant.money }),
    watch: ({ plan, clock }) => addFaults(plan, clock, mutant),
    ...(mutant.calm === true ? { without: new Set(faultKinds) } : {}),
  });
  // With faults of ours a seed is not as quick to agree as its own plan promises.
  const isPromised = !(report.tight && mutant.faults !== undefined);
  const violation = report.violations.find((told) => isPromised || !told.startsWith('L1'));
  return { hoursRun: report.hoursRun, violation };
}

for (const { mutant, seeds } of wanted) {
  let virtualHours = 0;
  let tried = 0;
  let caught: { readonly seed: number; readonly violation: string } | null = null;
  for (const seed of seeds) {
    const { hoursRun, violation } = await violationOf(mutant, seed);
    tried++;
    virtualHours += hoursRun;
    if (violation === undefined) continue;
    caught = { seed, violation };
    break;
  }
  const answer = { id: mutant.id, seeds: tried, virtualHours: Number(virtualHours.toFixed(4)), caught };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
