/**
 * Whether a session runs. Apart from `store.ts`, since the lock is a database and `panic` must reach the folders without
 * one.
 */
import { acquireLock } from '../execution/journal/lock.ts';
import { isTidewireError } from '../model/errors.ts';
import type { SessionFolder } from './store.ts';

/** Whether a process holds this session now: asked of the lock, since a process number may be somebody else's by now. */
export function isRunning({ path, record }: SessionFolder, waitMs = 0): boolean {
  if (record.clean) return false;
  try {
    acquireLock(path, waitMs).release();
    return false;
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'journal_locked') return true;
    throw thrown;
  }
}
