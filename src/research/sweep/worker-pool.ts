/**
 * Trials on threads that share one tape. A trial that takes too long, or takes its thread down, has failed; its thread is
 * replaced. Threads are replaced, too, when they have done so many trials that what these leave behind is worth more than a
 * start, and when a trial has changed its thread for good. What is handed in beyond the threads waits its turn, and its time
 * begins with its turn.
 */
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { Evaluate, Evaluated, Evaluation, Job, SweepGround } from './evaluation.ts';
import { THREAD_FLAGS } from '../../session/thread-flags.ts';

/**
 * Left alone V8's young generation grows to 134 MB a thread, which makes no trial faster: the same trials take the same
 * CPU time in this much.
 */
const YOUNG_GENERATION_MB_MAX = 8;

/**
 * For all threads of the process, from now on. A thread's program alone is 30 MB; by default V8 lets garbage grow to three
 * times that before it looks. Of the young generation little survives a collection: to share it among V8's own threads
 * takes these longer than the work, and they take their time from the other trials.
 */
const V8_FLAGS = ['--heap-growing-percent=50', '--no-parallel-scavenge'];

/**
 * Each trial imports its strategy anew, with the packages that it loads, and Node keeps every module that it has imported:
 * some 50 kB and ten times their source (measured: 350 kB leave 3.5 MB), at most 160 MB a thread after these. A new thread costs about two seconds of processor time until
 * V8 has good code again.
 */
const TRIALS_PER_THREAD = 1000;
const LOADED_BYTES_PER_THREAD = 16 * 2 ** 20;

export interface WorkerPool {
  readonly evaluate: Evaluate;
  readonly close: () => Promise<void>;
}

export interface PoolOptions {
  readonly workers: number;
  /** Of one trial, from its turn on. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly trialsPerThread?: number;
}

/** Threads that start together and end together. */
interface Generation {
  readonly pool: Piscina;
  handedIn: number;
  running: number;
  loadedBytes: number;
  /** Takes no trial any more. */
  isRetired: boolean;
}

export function workerPool(ground: SweepGround, options: PoolOptions): WorkerPool {
  const { workers, timeoutMs, clock, trialsPerThread = TRIALS_PER_THREAD } = options;
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const handedInMax = workers * trialsPerThread;
  let newest = generationOf(ground, workers);
  const alive = new Set([newest]);
  const turns = turnsOf(workers);
  const enter = (): Generation => {
    if (newest.isRetired) {
      newest = generationOf(ground, workers);
      alive.add(newest);
    }
    newest.isRetired = ++newest.handedIn >= handedInMax;
    newest.running++;
    return newest;
  };
  const judge = (generation: Generation, { loadedBytes, isSpoilt }: Evaluated): void => {
    generation.loadedBytes += loadedBytes;
    if (isSpoilt || generation.loadedBytes >= workers * LOADED_BYTES_PER_THREAD) generation.isRetired = true;
  };
  const leave = async (generation: Generation): Promise<void> => {
    generation.running--;
    if (generation.running > 0 || !generation.isRetired) return;
    alive.delete(generation);
    await generation.pool.destroy();
  };
  return {
    evaluate: async (job: Job): Promise<Evaluation> => {
      await turns.take();
      const stop = new AbortController();
      const cancel = clock.after(timeoutMs, () => stop.abort());
      const generation = enter();
      try {
        const evaluated = (await generation.pool.run(job, { signal: stop.signal })) as Evaluated;
        judge(generation, evaluated);
        return evaluated.evaluation;
      } catch (thrown) {
        const reason = stop.signal.aborted ? `it took longer than ${timeoutMs / 1000} s` : messageOf(thrown);
        return { kind: 'failed', reason };
      } finally {
        cancel();
        turns.give();
        await leave(generation);
      }
    },
    close: async () => {
      await Promise.all([...alive].map(({ pool }) => pool.destroy()));
    },
  };
}

function generationOf(ground: SweepGround, workers: number): Generation {
  const pool = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: ground,
    execArgv: [...process.execArgv, ...THREAD_FLAGS],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX },
  });
  // A thread that dies fails the trial it had; the pool starts another one.
  pool.on('error', () => {});
  return { pool, handedIn: 0, running: 0, loadedBytes: 0, isRetired: false };
}

/** At most so many at once, the others in the order in which they came. */
function turnsOf(count: number): { readonly take: () => Promise<void>; readonly give: () => void } {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    take: async () => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
