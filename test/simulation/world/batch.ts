/**
 * Many seeds over worker threads, told in the order of the seeds. A worker has its own modules and globals, so that
 * nothing of one seed is left for another but what the same thread ran before; the hash of all says whether that matters.
 */
import { Worker } from 'node:worker_threads';
import { crowdOf } from './crowd.ts';
import { shrink } from './shrink.ts';
import type { FaultKind } from './fault-plan.ts';
import { simulate, type SeedReport } from './simulate.ts';

export interface BatchOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** After those it goes on with the next ones until so much time has passed. */
  readonly wallMs: number;
  readonly hours: number;
  readonly workers: number;
  readonly without: readonly FaultKind[];
  /** So many rare kinds at once, in each; 0: what the seeds draw. */
  readonly crowd: number;
  /** Share of order programs; 0: none. */
  readonly programs: number;
  /** Share of transfers; 0: none. */
  readonly transfers: number;
  /** Share of the seconds in which a human moves money; 0: none. */
  readonly money: number;
  /** Takes faults out of what fails, one by one. */
  readonly shrinks: boolean;
}

/** A world makes much that is gone at once: a quarter of the collecting is saved by more room for it. */
const YOUNG_MB = 192;

/** One seed for a worker. */
export interface SeedTask {
  readonly seed: number;
  readonly hours: number;
  readonly without: readonly FaultKind[];
  readonly crowd: number;
  readonly programs: number;
  readonly transfers: number;
  readonly money: number;
  readonly shrinks: boolean;
}

export interface SeedAnswer {
  readonly report: SeedReport;
  /** What is left of the plan when everything is taken out without which the seed fails alike; null when it holds. */
  readonly shrunk: readonly FaultKind[] | null;
  readonly wallMs: number;
}

/** Runs one seed, and shrinks its plan when it fails. */
export async function runSeed({
  seed,
  hours,
  without,
  crowd,
  programs,
  transfers,
  money,
  shrinks,
}: SeedTask): Promise<SeedAnswer> {
  const started = performance.now();
  const options = {
    seed,
    hours,
    without: new Set(without),
    ...crowdOf(seed, crowd),
    ...(programs > 0 ? { programs } : {}),
    ...(transfers > 0 ? { transfers } : {}),
    ...(money > 0 ? { money } : {}),
  };
  const report = await simulate(options);
  const shrunk = shrinks && report.violations.length > 0 ? await shrink(report, options) : null;
  return { report: { ...report, lastLines: [] }, shrunk, wallMs: performance.now() - started };
}

export async function runBatch(options: BatchOptions, told: (answer: SeedAnswer) => void): Promise<void> {
  const { firstSeed, seeds, hours, without, crowd, programs, transfers, money, shrinks } = options;
  const endAt = performance.now() + options.wallMs;
  /** Null: that is all. */
  const taskAt = (index: number): SeedTask | null =>
    index < seeds || performance.now() < endAt
      ? { seed: firstSeed + index, hours, without, crowd, programs, transfers, money, shrinks }
      : null;
  const workers = options.wallMs > 0 ? options.workers : Math.min(options.workers, seeds);
  if (workers > 1) {
    await shareOut(taskAt, workers, told);
    return;
  }
  let index = 0;
  for (let task = taskAt(index); task !== null; task = taskAt(++index)) told(await runSeed(task));
}

/** Each worker takes the next task when it is done with one; answers are told in the order of the tasks. */
async function shareOut(
  taskAt: (index: number) => SeedTask | null,
  workers: number,
  told: (answer: SeedAnswer) => void,
): Promise<void> {
  const answers = new Map<number, SeedAnswer>();
  let next = 0;
  let toldTo = 0;
  const take = (answer: SeedAnswer, index: number): void => {
    answers.set(index, answer);
    for (let ready = answers.get(toldTo); ready !== undefined; ready = answers.get(toldTo)) {
      answers.delete(toldTo++);
      told(ready);
    }
  };
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('seed-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    try {
      for (let task = taskAt(next); task !== null; task = taskAt(next)) {
        const index = next++;
        take(await ask(worker, task), index);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

function ask(worker: Worker, task: SeedTask): Promise<SeedAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (answer: SeedAnswer) => {
      worker.off('error', reject);
      resolve(answer);
    });
    worker.postMessage(task);
  });
}
