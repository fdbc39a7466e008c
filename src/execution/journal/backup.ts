/**
 * Backup of a journal that may be in use, and restore into a new session directory. A copy is marked as one; whoever opens
 * a marked journal, restored by this command or copied by hand, writes first that it is a backup, and from there on it is
 * in amnesia mode until a human acknowledges it (reliability §4.3, 11). The mark holds what the session's folder must
 * know besides, since the journal alone is kept.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { executionErrors } from '../errors.ts';
import { createPrivateFile } from './private-file.ts';
import { BACKUP_KEY, readMeta, writeMeta } from './schema.ts';
import { JOURNAL_FILE, openJournal } from './sqlite-store.ts';
import { journalError } from './sqlite-errors.ts';
import { journalPath, openReadonly, verifyJournal, type VerifyReport } from './verify.ts';

/** Copies online, then verifies the copy; a copy that does not verify is removed. Throws `journal_exists`, `journal_corrupt`. */
export async function backupJournal(place: string, target: string, about = ''): Promise<VerifyReport> {
  const path = journalPath(place);
  if (existsSync(target)) throw executionErrors.make('journal_exists', `${target} exists already`, { path: target });
  const db = openReadonly(path);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    createPrivateFile(target);
    await db.backup(target);
    mark(target, about);
  } catch (thrown) {
    rmSync(target, { force: true });
    throw journalError(thrown, target, 'cannot write the backup');
  } finally {
    db.close();
  }
  return verified(target, () => rmSync(target, { force: true }));
}

/** What was given to `backupJournal` as `about`; undefined when it is no marked backup. Throws `journal_not_found`. */
export function aboutBackup(backup: string): string | undefined {
  const db = openReadonly(journalPath(backup));
  try {
    return readMeta(db, BACKUP_KEY);
  } finally {
    db.close();
  }
}

/** Throws `journal_exists`, `journal_corrupt`. The new journal is in amnesia mode. */
export function restoreJournal(backup: string, dir: string): VerifyReport {
  const source = journalPath(backup);
  const target = join(dir, JOURNAL_FILE);
  if (existsSync(target)) throw executionErrors.make('journal_exists', `${target} exists already`, { path: target });
  verified(source, () => {});
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    // Logs of an older journal at this place would be replayed into the restored one.
    for (const suffix of ['-wal', '-shm']) rmSync(`${target}${suffix}`, { force: true });
    copyFileSync(source, target);
    // Also a file that somebody copied without this command is a backup from here on.
    if (aboutBackup(target) === undefined) mark(target, '');
  } catch (thrown) {
    throw journalError(thrown, target, 'cannot restore to');
  }
  openJournal(dir).close();
  return verified(target, () => {});
}

/** The copy alone is written to; its rows stay as they are. */
function mark(path: string, about: string): void {
  const db = new Database(path, { timeout: 0 });
  try {
    writeMeta(db, BACKUP_KEY, about);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function verified(path: string, discard: () => void): VerifyReport {
  const report = verifyJournal(path);
  if (report.ok) return report;
  discard();
  throw executionErrors.make('journal_corrupt', `${path} does not verify: ${report.problem ?? ''}`, {
    path,
    brokenAt: report.brokenAt,
  });
}
