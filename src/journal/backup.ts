/**
 * Online backup and restore. Opening a marked copy starts amnesia mode until it is acknowledged. Files are renamed into
 * place once complete and durable.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder, createPrivateFile, dropFiles, LOGS, syncFolder } from './files/files.ts';
import { journalErrors } from './errors.ts';
import { isTidewireError } from '../model/errors.ts';
import { segmentsOf } from './archive/archive-table.ts';
import { archiveFolder, carry, dropCarried, segmentBytes, writeSegment } from './archive/segment-files.ts';
import { BACKUP_KEY, readMeta, writeMeta } from './schema.ts';
import { JOURNAL_FILE, openJournal } from './sqlite-store.ts';
import { journalError } from './sqlite-errors.ts';
import { requireRows, rowsMark, type RowsMark } from './rows.ts';
import { journalPath, openReadonly, reading, verifyJournal, type VerifyReport } from './verify.ts';

/**
 * Verifies the copy and removes a broken one. `about`: what `aboutBackup` returns. A throw of `step` aborts and removes
 * the backup. Throws `journal_exists`, `journal_corrupt`.
 */
export async function backupJournal(
  place: string,
  target: string,
  { about = '', step = () => {} }: { readonly about?: string; readonly step?: () => void } = {},
): Promise<VerifyReport> {
  return copyJournal({ source: journalPath(place), target, about, step, doing: 'cannot write the backup' });
}

/** The `about` of `backupJournal`; undefined when not a marked backup. Throws `journal_not_found`. */
export function aboutBackup(backup: string): string | undefined {
  return reading(backup, (db) => readMeta(db, BACKUP_KEY));
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
  /** Null: the source's. */
  readonly about: string | null;
  readonly step: () => void;
  readonly doing: string;
}

/** Copied by SQLite, to include the log. A hand-made copy becomes a backup too. */
async function copyJournal({ source, target, about, step, doing }: Copy): Promise<VerifyReport> {
  requireFree(target);
  const db = openReadonly(source);
  const draft = `${target}.${randomBytes(6).toString('hex')}.partial`;
  try {
    makeFolder(dirname(target), 0o700);
    createPrivateFile(draft);
    const rows = await copyState(db, draft, step);
    finish(draft, about, rows, db);
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
 * One transaction, because another process's commits would restart the copy. Returns the mark of the rows to be copied.
 */
async function copyState(db: Database.Database, draft: string, step: () => void): Promise<RowsMark> {
  db.exec('BEGIN');
  try {
    // The first read begins the transaction.
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

function requireFree(target: string): void {
  for (const path of [target, archiveFolder(target)])
    if (existsSync(path)) throw journalErrors.make('journal_exists', `${path} exists already`, { path });
}

function put(draft: string, target: string): void {
  requireFree(target);
  // A crash here leaves an archive without a journal, never the reverse.
  if (existsSync(archiveFolder(draft))) renameSync(archiveFolder(draft), archiveFolder(target));
  // Old logs would be replayed into this journal.
  dropFiles(target, LOGS);
  renameSync(draft, target);
  syncFolder(dirname(target));
}

function dropDatabase(draft: string): void {
  dropFiles(draft);
  rmSync(archiveFolder(draft), { recursive: true, force: true });
}

/** Leaves WAL mode, which is unreadable on a read-only disk. */
function finish(draft: string, about: string | null, rows: RowsMark, source: Database.Database): void {
  const db = new Database(draft, { timeout: 0 });
  try {
    db.pragma('synchronous = FULL');
    requireRows(db, draft, rows, 'in the copy');
    moveSegments(source, db, about !== null);
    writeMeta(db, BACKUP_KEY, about ?? readMeta(db, BACKUP_KEY) ?? '');
    const mode = db.pragma('journal_mode = DELETE', { simple: true });
    if (mode !== 'delete')
      throw journalErrors.make('journal_failed', `${draft} stays in the mode ${String(mode)}`, { path: draft });
  } finally {
    db.close();
  }
}

/** Omits segments made since. */
function moveSegments(source: Database.Database, copy: Database.Database, isBackup: boolean): void {
  for (const segment of segmentsOf(copy)) {
    const bytes = segmentBytes(source, segment);
    if (isBackup) carry(copy, segment, bytes);
    else writeSegment(copy.name, segment, bytes);
  }
  if (!isBackup) dropCarried(copy);
}

function verified(path: string, source = path): VerifyReport {
  const report = verifyJournal(path);
  if (report.ok) return report;
  throw journalErrors.make('journal_corrupt', `${source} does not verify: ${report.problem ?? ''}`, {
    path: source,
    brokenAt: report.brokenAt,
  });
}
