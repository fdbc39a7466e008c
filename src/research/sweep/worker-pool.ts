/**
 * Trials on threads that share one tape. A trial over its time fails, and its thread is replaced, as are changed
 * threads and those after `TRIALS_PER_THREAD`.
 */
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { Evaluate, Evaluated, Evaluation, Job, SweepGround } from './evaluation.ts';
import { THREAD_FLAGS } from '../../session/thread-flags.ts';

/** By default V8 takes 134 MB a thread, without being faster. */
const YOUNG_GENERATION_MB_MAX = 8;

/** Process-wide. Limits garbage to half of the heap; single-threaded scavenges spare CPU. */
const V8_FLAGS = ['--heap-growing-percent=50', '--no-parallel-scavenge'];

/** Node keeps imported modules: 50 kB plus ten times the source a trial. A new thread costs two seconds of CPU. */
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
  /** Takes no more trials. */
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
  // A dead thread fails its trial; the pool replaces it.
  pool.on('error', () => {});
  return { pool, handedIn: 0, running: 0, loadedBytes: 0, isRetired: false };
}

/** At most `count` at once, in order of arrival. */
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
