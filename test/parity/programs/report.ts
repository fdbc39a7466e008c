/** `npm run parity -- --programs N`: as many drawn programs on the files and the sample in turn, and what each kind came to. */
import { type Dataset, openDataset } from '../dataset.ts';
import { openSample, SAMPLE } from './sample.ts';
import { MANY_KINDS, programTrials, type ProgramTrial, SINGLE_KINDS } from './trial.ts';

interface Sum {
  programs: number;
  children: number;
  fills: number;
  disagreements: number;
}

/** What a run plays on: each file alone, and the spot files of the same minutes together. */
async function playedOn(files: readonly string[]): Promise<readonly (readonly Dataset[])[]> {
  const groups: (readonly Dataset[])[] = [];
  const real: Dataset[] = [];
  for (const file of files) {
    const opened =
      file === SAMPLE ? [await openSample('BTCUSDT'), await openSample('ETHUSDT')] : [await openDataset(file)];
    groups.push(...opened.map((one) => [one]));
    if (file === SAMPLE) groups.push(opened);
    else real.push(...opened.filter(({ recorded }) => !recorded.isDerivative));
  }
  return real.length > 1 ? [...groups, real] : groups;
}

const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** False when one disagreed. A batch is a run of one file with a seed of its own. */
export async function reportPrograms(files: readonly string[], programs: number, seed: number): Promise<boolean> {
  const started = performance.now();
  const groups = await playedOn(files);
  const sums = new Map<string, Sum>();
  for (let [batch, left] = [0, programs]; left > 0; batch += 1) {
    const used = groups[batch % groups.length] ?? [];
    const trials = await programTrials(used, seed + batch, used.length > 1 ? MANY_KINDS : SINGLE_KINDS, left);
    if (trials.length === 0) throw new Error('the files are too short for a program');
    left -= trials.length;
    for (const trial of trials) count(sums, trial, used, seed + batch);
  }
  for (const dataset of groups.flatMap((group) => (group.length > 1 ? [] : group))) dataset.close();
  for (const [kind, sum] of [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))) line(`${kind}: ${textOf(sum)}`);
  const all = { programs: 0, children: 0, fills: 0, disagreements: 0 };
  for (const sum of sums.values()) for (const key of Object.keys(all) as (keyof Sum)[]) all[key] += sum[key];
  line(`all: ${textOf(all)}, ${Math.round((performance.now() - started) / 1000)} s`);
  return all.disagreements === 0;
}

function count(sums: Map<string, Sum>, trial: ProgramTrial, used: readonly Dataset[], seed: number): void {
  const sum = sums.get(trial.kind) ?? { programs: 0, children: 0, fills: 0, disagreements: 0 };
  sums.set(trial.kind, sum);
  sum.programs += 1;
  sum.children += trial.children;
  sum.fills += trial.fills;
  if (trial.differences.length === 0) return;
  sum.disagreements += 1;
  line(`${used.map(({ name }) => name).join(' and ')}, seed ${seed}: ${JSON.stringify(trial.action)}`);
  for (const text of trial.differences.slice(0, 5)) line(`  ${text}`);
}

function textOf({ programs, children, fills, disagreements }: Sum): string {
  return `${programs} programs, ${children} children, ${fills} fills, ${disagreements} disagreements`;
}
