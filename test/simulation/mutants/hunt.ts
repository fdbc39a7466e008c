/**
 * The process of one mutant: `node hunt.ts ID SEEDS HOURS [as-it-is]` (`SEEDS`: `3` or `3-20`, commas between). Loads the
 * live stack with the mutant's edits, then runs seed by seed until a law is violated. Answers one line of JSON. With
 * `as-it-is` the code has no mutant, in the same worlds: whatever a law says then is a mistake of the law, or a bug.
 */
import { editsOf } from './mutant.ts';
import { patchSources } from './patch-source.ts';
import { mutants } from './table/all.ts';

const [id = '', seedText = '1-10', hoursText = '0.1', how = ''] = process.argv.slice(2);
const mutant = mutants.find((row) => row.id === id);
if (mutant === undefined) throw new Error(`no mutant "${id}"`);
patchSources([...(mutant.knobs ?? []), ...(how === 'as-it-is' ? [] : editsOf(mutant))]);

const { addFaults } = await import('./add-faults.ts');
const { simulate } = await import('../world/simulate.ts');
const { faultKinds } = await import('../world/fault-plan.ts');

/** Each once, in the order given. */
function seedsOf(text: string): ReadonlySet<number> {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const [first = 1, last = first] = part.split('-').map(Number);
    for (let seed = first; seed <= last; seed++) seeds.add(seed);
  }
  return seeds;
}

const hours = Number(hoursText);
let virtualHours = 0;
let seeds = 0;
let caught: { readonly seed: number; readonly violation: string } | null = null;
for (const seed of seedsOf(seedText)) {
  const report = await simulate({
    seed,
    hours,
    stopAtFirst: true,
    futures: mutant.futures ?? false,
    watch: ({ plan, clock }) => addFaults(plan, clock, mutant),
    ...(mutant.calm === true ? { without: new Set(faultKinds) } : {}),
  });
  seeds++;
  virtualHours += report.hoursRun;
  // With faults of ours a seed is not as quick to agree as its own plan promises.
  const isPromised = !(report.tight && mutant.faults !== undefined);
  const [violation] = report.violations.filter((told) => isPromised || !told.startsWith('L1'));
  if (violation === undefined) continue;
  caught = { seed, violation };
  break;
}
process.stdout.write(`${JSON.stringify({ id, seeds, virtualHours: Number(virtualHours.toFixed(4)), caught })}\n`);
process.exit(0);
