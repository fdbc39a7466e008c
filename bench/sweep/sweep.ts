/**
 * `sweep` as a user starts it: the same 200 random trials of `spread-maker` with one worker and with two, in turn, each in a
 * fresh process and folder. Trials a minute are its own figure (with loading the data and starting the threads), memory
 * is the largest resident size of the process; what a second worker adds is the memory of a worker beyond the shared tape.
 * Each thread compiles for itself, so two workers are also given twice the trials: as many a thread as the one alone has.
 * Two processes of one worker each, side by side, share nothing but the machine: no number of threads can be faster.
 * About eight minutes; a line on stderr says how far it is.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, spread, type Measured } from '../harness.ts';
import { peakOf } from '../memory/peak.ts';
import { benchData, SPREAD_MAKER } from '../recordings.ts';
import { ceilingBench } from './ceiling.ts';

const TRIALS = 200;
const ROUNDS = 5;
const SPACE = `
parameters:
  halfSpreadBps: { from: 0.3, to: 5, log: true }
  skew: { from: 0, to: 1 }
  everyMs: { from: 200, to: 2000, integer: true }
`;

interface Round {
  readonly perMinute: number;
  readonly megabytes: number;
}

async function search(data: string, workers: number, trials = TRIALS): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-sweep-'));
  try {
    writeFileSync(join(folder, 'space.yaml'), SPACE);
    const args = ['sweep', SPREAD_MAKER, '--data', data, '--space', 'space.yaml', '--method', 'random'];
    const { out, rssBytes } = await peakOf(
      folder,
      [...args, '--trials', String(trials), '--workers', String(workers), '--json'],
      folder,
    );
    const { trialsPerMinute }: { readonly trialsPerMinute: number } = JSON.parse(out);
    return { perMinute: trialsPerMinute, megabytes: rssBytes / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sideBySide(data: string): Promise<Round> {
  const both = await Promise.all([search(data, 1), search(data, 1)]);
  const sum = (pick: (round: Round) => number): number => both.reduce((all, round) => all + pick(round), 0);
  return { perMinute: sum(({ perMinute }) => perMinute), megabytes: sum(({ megabytes }) => megabytes) };
}

export async function sweepBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const data = await benchData(folder);
    if (data === null) return;
    const ways = {
      'one worker': () => search(data.path, 1),
      'two workers': () => search(data.path, 2),
      'two workers, twice the trials': () => search(data.path, 2, 2 * TRIALS),
      'two processes of one worker': () => sideBySide(data.path),
    };
    const rounds = Object.entries(ways).map(([name, run]) => ({ name, run, each: [] as Round[] }));
    for (let round = 1; round <= ROUNDS; round++) {
      for (const { name, run, each } of rounds) {
        process.stderr.write(`sweep, round ${round} of ${ROUNDS}: ${name}\n`);
        each.push(await run());
      }
    }
    const rows = (pick: (round: Round) => number): Measured[] =>
      rounds.map(({ name, each }) => ({ name, values: spread(each.map(pick)) }));
    print(
      `Sweep: ${TRIALS} trials of spread-maker on ${data.name}`,
      'trials a minute',
      rows((round) => round.perMinute),
    );
    print(
      'Sweep: largest resident size',
      'MB',
      rows((round) => round.megabytes),
    );
    await ceilingBench();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
