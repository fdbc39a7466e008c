/**
 * `npm run parity -- [--scripts 1000] [--seed 1] [--orders 150] [--file NAME|PATH]`: random order scripts on real frames,
 * played by tidewire's simulated venue and by the reference simulator. The scripts are dealt to the three real files in
 * turn, or all to one file. Ends with 1 when the two disagree, with the command that plays the script again.
 * `--programs N` in place of scripts: random order programs, each beside a reference of its own, on the real files
 * that are there and on the sample (`--file sample`: on it alone).
 */
import { parseArgs } from 'node:util';
import { type Dataset, hasRealData, openDataset, REAL_FILES } from './dataset.ts';
import { reportPrograms } from './programs/report.ts';
import { SAMPLE } from './programs/sample.ts';
import { scriptOf } from './script.ts';
import { shrink, trial } from './trial.ts';

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    orders: { type: 'string', default: '150' },
    file: { type: 'string' },
    programs: { type: 'string' },
  },
});

interface Sum {
  scripts: number;
  orders: number;
  fills: number;
  disagreements: number;
}

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const textOf = ({ scripts, orders, fills, disagreements }: Sum): string =>
  `${scripts} scripts, ${orders} orders, ${fills} fills, ${disagreements} disagreements`;

async function runFile(file: string, seeds: readonly number[], ordersMax: number): Promise<Sum> {
  const dataset = await openDataset(file);
  const sum: Sum = { scripts: 0, orders: 0, fills: 0, disagreements: 0 };
  for (const seed of seeds) {
    const { orders, fills, differences } = await trial(dataset, scriptOf(dataset, seed, ordersMax));
    sum.scripts += 1;
    sum.orders += orders;
    sum.fills += fills;
    if (differences.length === 0) continue;
    sum.disagreements += 1;
    await tell(dataset, file, seed, ordersMax, differences);
  }
  dataset.close();
  return sum;
}

async function tell(
  dataset: Dataset,
  file: string,
  seed: number,
  ordersMax: number,
  differences: readonly string[],
): Promise<void> {
  line(`${file}, seed ${seed}: ${differences.slice(0, 5).join('; ')}`);
  line(`  again: npm run parity -- --file ${file} --seed ${seed} --scripts 1 --orders ${ordersMax}`);
  const { driver, rules, steps } = await shrink(dataset, scriptOf(dataset, seed, ordersMax));
  line(`  shrunk to ${steps.length} steps through ${driver}: ${JSON.stringify({ rules, steps })}`);
}

const [scripts, seed, ordersMax] = [Number(values.scripts), Number(values.seed), Number(values.orders)];
const programs = Number(values.programs ?? 1);
if (![scripts, seed, ordersMax, programs].every((count) => Number.isSafeInteger(count) && count > 0)) {
  process.stderr.write('--scripts, --programs, --seed and --orders are whole numbers of 1 or more\n');
  process.exit(2);
}
if (values.file === undefined && values.programs === undefined && !hasRealData) {
  process.stderr.write('../shared/data is not here; name a file of recorded frames with --file\n');
  process.exit(2);
}
const files = values.file === undefined ? REAL_FILES : [values.file];
if (values.programs === undefined) await runScripts();
else {
  const played = values.file === undefined ? [...(hasRealData ? REAL_FILES : []), SAMPLE] : [values.file];
  if (!(await reportPrograms(played, programs, seed))) process.exitCode = 1;
}

async function runScripts(): Promise<void> {
  const started = performance.now();
  const all: Sum = { scripts: 0, orders: 0, fills: 0, disagreements: 0 };
  for (const [index, file] of files.entries()) {
    const seeds = Array.from({ length: scripts }, (_, at) => seed + at).filter((_, at) => at % files.length === index);
    const sum = await runFile(file, seeds, ordersMax);
    line(`${file}: ${textOf(sum)}`);
    all.scripts += sum.scripts;
    all.orders += sum.orders;
    all.fills += sum.fills;
    all.disagreements += sum.disagreements;
  }
  line(`all: ${textOf(all)}, ${Math.round((performance.now() - started) / 1000)} s`);
  if (all.disagreements > 0) process.exitCode = 1;
}
