/** Apart from `store.ts`: the lock is a database, and `panic` must work without one. */
import { acquireLock } from '../../journal/files/lock.ts';
import { isTidewireError } from '../../model/errors.ts';
import type { SessionFolder } from './store.ts';

/** By the lock: process numbers may be reused. */
export function isRunning({ path, record }: SessionFolder, waitMs = 0): boolean {
  return !record.clean && isLockHeld(path, waitMs);
}

/** Throws `journal_failed` where the lock cannot be asked for. */
export function isLockHeld(path: string, waitMs = 0): boolean {
  try {
    acquireLock(path, waitMs).release();
    return false;
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'journal_locked') return true;
    throw thrown;
  }
}
