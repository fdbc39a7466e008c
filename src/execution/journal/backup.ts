/**
 * Backup of a journal that may be in use, and restore into a new session directory. A copy is marked as one; whoever opens
 * a marked journal, restored by this command or copied by hand, writes first that it is a backup, and from there on it is
 * in amnesia mode until a human acknowledges it (reliability §4.3, 11). The mark holds what the session's folder must
 * know besides, since the journal alone is kept. Both are written beside their place and put there when they are whole,
 * marked and on disk: a crash leaves no half of a copy under a name that somebody trusts.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import { executionErrors } from '../errors.ts';
import { isTidewireError } from '../../model/errors.ts';
import { createPrivateFile } from './private-file.ts';
import { BACKUP_KEY, readMeta, writeMeta } from './schema.ts';
import { JOURNAL_FILE, openJournal } from './sqlite-store.ts';
import { journalError } from './sqlite-errors.ts';
import { syncFolder } from './sync-folder.ts';
import { journalPath, openReadonly, verifyJournal, type VerifyReport } from './verify.ts';

const LOGS = ['-wal', '-shm', '-journal'];

export interface BackupOptions {
  /** What `aboutBackup` answers. */
  readonly about?: string;
  /** Called after each piece of the copy; what it throws ends the backup, which then leaves nothing. */
  readonly step?: () => void;
}

/** Copies online and verifies the copy; one that does not verify is removed. Throws `journal_exists`, `journal_corrupt`. */
export async function backupJournal(
  place: string,
  target: string,
  { about = '', step = () => {} }: BackupOptions = {},
): Promise<VerifyReport> {
  const path = journalPath(place);
  requireFree(target);
  const db = openReadonly(path);
  const draft = draftOf(target);
  try {
    makeFolder(dirname(target), 0o700);
    createPrivateFile(draft);
    await copyState(db, draft, step);
    mark(draft, about);
    const report = verified(draft, path);
    put(draft, target);
    return report;
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, target, 'cannot write the backup');
  } finally {
    dropDatabase(draft);
    db.close();
  }
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
  requireFree(target);
  verified(source);
  const draft = draftOf(target);
  try {
    makeFolder(dir, 0o700);
    // Logs of an older journal at this place would be replayed into the restored one.
    for (const suffix of LOGS) rmSync(`${target}${suffix}`, { force: true });
    copyFileSync(source, draft);
    // Also a file that somebody copied without this command is a backup from here on.
    mark(draft, aboutBackup(draft) ?? '');
    put(draft, target);
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, target, 'cannot restore to');
  } finally {
    dropDatabase(draft);
  }
  openJournal(dir).close();
  return verified(target);
}

const PIECE_PAGES = 100;

/**
 * One state of the journal, however much is written meanwhile: outside of a transaction SQLite begins the copy anew at each
 * commit of another process, and a session that trades commits more often than a copy takes.
 */
async function copyState(db: Database.Database, draft: string, step: () => void): Promise<void> {
  db.exec('BEGIN');
  try {
    // The transaction begins with the first read.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(draft, {
      progress: () => {
        step();
        return PIECE_PAGES;
      },
    });
  } finally {
    db.exec('ROLLBACK');
  }
}

function draftOf(target: string): string {
  return `${target}.${randomBytes(6).toString('hex')}.partial`;
}

function requireFree(target: string): void {
  if (existsSync(target)) throw executionErrors.make('journal_exists', `${target} exists already`, { path: target });
}

/** A draft that is whole and on disk, since it was marked. */
function put(draft: string, target: string): void {
  requireFree(target);
  renameSync(draft, target);
  syncFolder(dirname(target));
}

function dropDatabase(draft: string): void {
  for (const suffix of ['', ...LOGS]) rmSync(`${draft}${suffix}`, { force: true });
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

/** `source`: what `path` is a copy of, for the message. */
function verified(path: string, source = path): VerifyReport {
  const report = verifyJournal(path);
  if (report.ok) return report;
  throw executionErrors.make('journal_corrupt', `${source} does not verify: ${report.problem ?? ''}`, {
    path: source,
    brokenAt: report.brokenAt,
  });
}
