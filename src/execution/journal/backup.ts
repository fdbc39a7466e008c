/**
 * Backup of a journal that may be in use, and restore into a new session directory. A copy is marked as one; whoever opens
 * a marked journal, restored by this command or copied by hand, writes first that it is a backup, and from there on it is
 * in amnesia mode until a human acknowledges it (reliability §4.3, 11). The mark holds what the session's folder must
 * know besides, since the journal alone is kept. Both are written beside their place and put there when they are whole,
 * marked and on disk: a crash leaves no half of a copy under a name that somebody trusts.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import { executionErrors } from '../errors.ts';
import { isTidewireError } from '../../model/errors.ts';
import { createPrivateFile } from './private-file.ts';
import { BACKUP_KEY, readMeta, writeMeta } from './schema.ts';
import { JOURNAL_FILE, openJournal } from './sqlite-store.ts';
import { journalError } from './sqlite-errors.ts';
import { requireRows, rowsMark, type RowsMark } from './rows.ts';
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
  return copyJournal({ source: journalPath(place), target, about, step, doing: 'cannot write the backup' });
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
export async function restoreJournal(backup: string, dir: string): Promise<VerifyReport> {
  const target = join(dir, JOURNAL_FILE);
  await copyJournal({ source: journalPath(backup), target, about: null, step: () => {}, doing: 'cannot restore to' });
  openJournal(dir).close();
  return verified(target);
}

interface Copy {
  readonly source: string;
  readonly target: string;
  /** Null: what the source says. */
  readonly about: string | null;
  readonly step: () => void;
  readonly doing: string;
}

/**
 * Copies by SQLite, which reads the log beside the source, too. What is verified is the copy. Also one of a file that
 * somebody copied without this command is a backup from here on.
 */
async function copyJournal({ source, target, about, step, doing }: Copy): Promise<VerifyReport> {
  requireFree(target);
  const db = openReadonly(source);
  const draft = draftOf(target);
  try {
    makeFolder(dirname(target), 0o700);
    createPrivateFile(draft);
    const rows = await copyState(db, draft, step);
    finish(draft, about, rows);
    const report = verified(draft, source);
    put(draft, target);
    return report;
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, target, doing);
  } finally {
    dropDatabase(draft);
    db.close();
  }
}

const PIECE_PAGES = 100;

/**
 * One state of the journal, however much is written meanwhile: outside of a transaction SQLite begins the copy anew at each
 * commit of another process, and a session that trades commits more often than a copy takes. Answers what was to be copied.
 */
async function copyState(db: Database.Database, draft: string, step: () => void): Promise<RowsMark> {
  db.exec('BEGIN');
  try {
    // The transaction begins with the first read.
    const rows = rowsMark(db);
    await db.backup(draft, {
      progress: () => {
        step();
        return PIECE_PAGES;
      },
    });
    return rows;
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

/** A draft that is whole and on disk, since it was finished. */
function put(draft: string, target: string): void {
  requireFree(target);
  // Logs of an older journal at this place would be replayed into this one.
  for (const suffix of LOGS) rmSync(`${target}${suffix}`, { force: true });
  renameSync(draft, target);
  syncFolder(dirname(target));
}

function dropDatabase(draft: string): void {
  for (const suffix of ['', ...LOGS]) rmSync(`${draft}${suffix}`, { force: true });
}

/**
 * The copy alone is written to; its rows stay as they are, and are all that were to be copied. It is no file in WAL mode any
 * more: such a one cannot be read where nothing can be written beside it, as on a disk that is kept read-only.
 */
function finish(draft: string, about: string | null, rows: RowsMark): void {
  const db = new Database(draft, { timeout: 0 });
  try {
    db.pragma('synchronous = FULL');
    requireRows(db, draft, rows, 'in the copy');
    writeMeta(db, BACKUP_KEY, about ?? readMeta(db, BACKUP_KEY) ?? '');
    const mode = db.pragma('journal_mode = DELETE', { simple: true });
    if (mode !== 'delete')
      throw executionErrors.make('journal_failed', `${draft} stays in the mode ${String(mode)}`, { path: draft });
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
