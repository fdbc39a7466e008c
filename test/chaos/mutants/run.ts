/**
 * `npm run mutants:processes -- [--only id,id] [--jobs J]`: each mutant of the table in a copy of the tree, where the regression
 * tests of its hole have to fail; the same tests have to pass in a copy without a mutant. A line of each, exit code 1 where
 * one survives or the code as it is does not.
 */
import { parseArgs } from 'node:util';
import { PatchedCopy, type TestsRun } from './patched-copy.ts';
import { processMutants, type ProcessMutant } from './table.ts';
import type { Edit } from '../../simulation/mutants/mutant.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, jobs: { type: 'string', default: '1' } },
});
const only = new Set(values.only.split(',').filter((id) => id !== ''));
const chosen = processMutants.filter(({ id }) => only.size === 0 || only.has(id));
if (chosen.length < only.size) throw new Error(`not all of ${values.only} are mutants`);

const SHOWN_MAX = 120;
/** A mutant that never ends need not be waited for as long as a busy machine. */
const quick: Edit = {
  file: 'test/e2e/cli.ts',
  find: 'vi.setConfig({ testTimeout: 120_000,',
  replace: 'vi.setConfig({ testTimeout: 45_000,',
};

async function tried(edits: readonly Edit[], tests: readonly ProcessMutant['test'][]): Promise<TestsRun> {
  const copy = new PatchedCopy();
  try {
    await copy.make([quick, ...edits]);
    let sum: TestsRun = { passed: 0, failed: [] };
    for (const { file, title } of tests) {
      const { passed, failed } = await copy.test(file, title);
      sum = { passed: sum.passed + passed, failed: [...sum.failed, ...failed] };
    }
    return sum;
  } finally {
    copy.remove();
  }
}

async function hunt({ id, edits, test }: ProcessMutant): Promise<boolean> {
  const started = performance.now();
  const { failed } = await tried(edits, [test]);
  const [first = 'SURVIVED'] = failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${id.padEnd(32)} ${first.slice(0, SHOWN_MAX)} (${seconds} s)\n`);
  return failed.length > 0;
}

const started = performance.now();
const queue = [...chosen];
let caught = 0;
async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) if (await hunt(mutant)) caught++;
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const tests = new Map(chosen.map(({ test }) => [`${test.file} ${test.title}`, test]));
const asItIs = await tried([], [...tests.values()]);
for (const line of asItIs.failed) process.stdout.write(`so does the code as it is: ${line.slice(0, SHOWN_MAX)}\n`);
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `${chosen.length} mutants, ${caught} caught, ${asItIs.passed} tests passed without a mutant, ${seconds} s\n`,
);
process.exitCode = caught === chosen.length && asItIs.failed.length === 0 ? 0 : 1;
