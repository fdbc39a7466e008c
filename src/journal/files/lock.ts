/**
 * Single-instance lock: a database in BEGIN EXCLUSIVE, which the system frees even after kill -9. The journal stays
 * readable.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isTidewireError } from '../../model/errors.ts';
import { journalErrors } from '../errors.ts';
import { createPrivateFile } from './files.ts';
import { guarded, sqliteCode } from '../sqlite-errors.ts';

const LOCK_FILE = 'lock.db';

export interface SessionLock {
  /** Idempotent. */
  release(): void;
}

/** Longer than `status` holds the lock. */
export const LOCK_WAIT_MS = 250;

/**
 * Blocks up to `waitMs`, so only for starts. Throws `journal_locked` when held; `journal_failed` or `journal_full` when
 * unwritable.
 */
export function acquireLock(dir: string, waitMs = LOCK_WAIT_MS): SessionLock {
  const path = join(dir, LOCK_FILE);
  guarded(path, 'cannot take the lock', () => createPrivateFile(path));
  const db = new Database(path, { timeout: waitMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db.close();
    const code = sqliteCode(thrown);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw journalErrors.make('journal_locked', `another process works on ${dir}`, { path });
    }
    throw journalErrors.make('journal_failed', `the lock ${path} cannot be taken (${code})`, { path }, thrown);
  }
  return { release: () => db.close() };
}

/** Null: unknown. False if never locked. */
export function isLocked(dir: string, waitMs?: number): boolean | null {
  if (!existsSync(join(dir, LOCK_FILE))) return false;
  try {
    acquireLock(dir, waitMs).release();
    return false;
  } catch (thrown) {
    return isTidewireError(thrown) && thrown.code === 'journal_locked' ? true : null;
  }
}
