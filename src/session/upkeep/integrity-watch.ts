/** The weekly complete check of the journal, on its own thread. */
import { Worker } from 'node:worker_threads';
import { INTEGRITY_EVERY_MS } from '../../journal/integrity.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import { THREAD_FLAGS } from '../thread-flags.ts';

const THREAD = new URL('../../journal/integrity-worker.ts', import.meta.url);

/** Null when undamaged. `file`: the database. Rejects when the thread dies. */
export function checkWhole(file: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const thread = new Worker(THREAD, { workerData: file, execArgv: [...process.execArgv, ...THREAD_FLAGS] });
  thread.once('message', (found: string | null) => resolve(found));
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the check ended with ${code} and said nothing`)));
  return promise;
}

export interface IntegrityWatch {
  readonly file: string;
  readonly clock: Clock;
  /** Null when undamaged. Not called after the end. */
  readonly told: (found: string | null) => void;
  readonly failed: (reason: string) => void;
}

export function watchIntegrity({ file, clock, told, failed }: IntegrityWatch): Cancel {
  let isOver = false;
  const cancel = clock.every(INTEGRITY_EVERY_MS, () => {
    checkWhole(file).then(
      (found) => {
        if (!isOver) told(found);
      },
      (thrown: unknown) => {
        if (!isOver) failed(messageOf(thrown));
      },
    );
  });
  return () => {
    isOver = true;
    cancel();
  };
}
