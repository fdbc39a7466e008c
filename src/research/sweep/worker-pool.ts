/**
 * Trials on threads that share one tape. A trial that takes too long, or takes its thread down, has failed; its thread is
 * replaced. Bounded: the caller awaits what it hands in.
 */
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { Evaluate, Evaluation, Job, SweepGround } from './evaluation.ts';

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

export interface WorkerPool {
  readonly evaluate: Evaluate;
  readonly close: () => Promise<void>;
}

export function workerPool(ground: SweepGround, workers: number, timeoutMs: number, clock: Clock): WorkerPool {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const pool = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: ground,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX },
  });
  // A thread that dies fails the trial it had; the pool starts another one.
  pool.on('error', () => {});
  return {
    evaluate: async (job: Job): Promise<Evaluation> => {
      const stop = new AbortController();
      const cancel = clock.after(timeoutMs, () => stop.abort());
      try {
        return (await pool.run(job, { signal: stop.signal })) as Evaluation;
      } catch (thrown) {
        const reason = stop.signal.aborted ? `it took longer than ${timeoutMs / 1000} s` : messageOf(thrown);
        return { kind: 'failed', reason };
      } finally {
        cancel();
      }
    },
    close: async () => pool.destroy(),
  };
}
