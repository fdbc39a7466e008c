/**
 * The weekly check of the whole journal in a session that outlives a week (reliability §4.3, 5); a start makes it by itself.
 * It reads on a thread of its own, beside the writer. What it finds stops all risk: a journal that is damaged proves nothing.
 */
import { Worker } from 'node:worker_threads';
import { INTEGRITY_EVERY_MS } from '../execution/journal/integrity.ts';
import { messageOf } from '../model/errors.ts';
import type { Cancel, Clock } from '../model/ports.ts';
import { THREAD_FLAGS } from './thread-flags.ts';

const THREAD = new URL('../execution/journal/integrity-worker.ts', import.meta.url);

/** Null when the journal is whole, else what is wrong. `file`: the database. Rejects when the thread dies. */
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
  /** Null when the journal is whole, else what is wrong; not called after the end. */
  readonly told: (found: string | null) => void;
  /** The check itself could not be made. */
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
