/**
 * The single-instance lock: a database of its own, held in BEGIN EXCLUSIVE for the life of the process. The operating
 * system frees it when the process dies, even by kill -9, so a stale lock cannot exist. Read-only tools still reach
 * the journal itself (reliability §4.3). Taken by `openJournal`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isTidewireError } from '../../model/errors.ts';
import { executionErrors } from '../errors.ts';
import { createPrivateFile } from './private-file.ts';
import { journalError, sqliteCode } from './sqlite-errors.ts';

const LOCK_FILE = 'lock.db';

export interface SessionLock {
  /** Idempotent. */
  release(): void;
}

/** How long a start waits: `status` holds the lock for a moment when it looks whether a session runs. */
export const LOCK_WAIT_MS = 250;

/**
 * Throws `journal_locked` when another process, or another store of this one, holds the lock of `dir` for longer than
 * `waitMs`; `journal_failed` or `journal_full` where its file cannot be written. Blocks meanwhile, so only a start may
 * wait.
 */
export function acquireLock(dir: string, waitMs = LOCK_WAIT_MS): SessionLock {
  const path = join(dir, LOCK_FILE);
  prepare(path);
  const db = new Database(path, { timeout: waitMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db.close();
    const code = sqliteCode(thrown);
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw executionErrors.make('journal_locked', `another process works on ${dir}`, { path });
    }
    throw executionErrors.make('journal_failed', `the lock ${path} cannot be taken (${code})`, { path }, thrown);
  }
  return { release: () => db.close() };
}

/** A folder that cannot be written is a word to its owner, not a bug of ours. */
function prepare(path: string): void {
  try {
    createPrivateFile(path);
  } catch (thrown) {
    throw journalError(thrown, path, 'cannot take the lock');
  }
}

/** Whether somebody holds it; null where nobody could ask. A folder in which nobody ever held one has none. */
export function isLocked(dir: string): boolean | null {
  if (!existsSync(join(dir, LOCK_FILE))) return false;
  try {
    acquireLock(dir).release();
    return false;
  } catch (thrown) {
    return isTidewireError(thrown) && thrown.code === 'journal_locked' ? true : null;
  }
}
