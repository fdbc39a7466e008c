/**
 * Reads stored rows in pages, so that no query stays open between them (an open one would block writers and checkpoints). What
 * a damaged file brings is a word to its owner (`journal_corrupt`, `journal_failed`), never a bug of ours.
 */
import type Database from 'better-sqlite3';
import type { JournalEntry, JournalRow } from '../../model/journal.ts';
import { executionErrors } from '../errors.ts';
import { journalError } from './sqlite-errors.ts';

export interface StoredRow {
  readonly seq: number;
  readonly ts: number;
  readonly body: string;
  readonly hash: string;
}

const PAGE_ROWS = 1_000;

/** Throws `journal_corrupt` and `journal_failed`. */
export function* readPages(db: Database.Database, path: string, fromSeq: number): Generator<StoredRow> {
  let from = fromSeq;
  for (;;) {
    const rows = pageOf(db, path, from);
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    from = (rows.at(-1)?.seq ?? from) + 1;
  }
}

function pageOf(db: Database.Database, path: string, from: number): readonly StoredRow[] {
  try {
    return db
      .prepare<[number, number], StoredRow>(
        'SELECT seq, ts, body, hash FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?',
      )
      .all(from, PAGE_ROWS);
  } catch (thrown) {
    throw journalError(thrown, path, 'cannot read');
  }
}

/** Undefined when there is no such row. */
export function hashOfRow(db: Database.Database, seq: number): string | undefined {
  return db.prepare<[number], { hash: string }>('SELECT hash FROM journal WHERE seq = ?').get(seq)?.hash;
}

/** What proves that a copy or a migration has kept every row: their number and the hash of the last. */
export interface RowsMark {
  readonly rows: number;
  readonly hash: string | null;
}

export function rowsMark(db: Database.Database): RowsMark {
  const rows = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM journal').get()?.n ?? 0;
  const last = db.prepare<[], { hash: string }>('SELECT hash FROM journal ORDER BY seq DESC LIMIT 1').get();
  return { rows, hash: last?.hash ?? null };
}

/** `when`: of what happened to them, for the message. Throws `journal_corrupt`. */
export function requireRows(db: Database.Database, path: string, { rows, hash }: RowsMark, when: string): void {
  const now = rowsMark(db);
  if (now.rows === rows && now.hash === hash) return;
  const last = now.rows === rows ? ', and the last is another' : '';
  throw executionErrors.make('journal_corrupt', `${path}: ${now.rows} rows ${when}, ${rows} before${last}`, { path });
}

/** The entry as `append` was given it. Throws `journal_corrupt`. */
export function rowOf({ seq, ts, body }: StoredRow, path: string): JournalRow {
  try {
    const entry = JSON.parse(body) as JournalEntry | null;
    if (typeof entry?.kind === 'string') return { seq, ts, entry };
  } catch {
    // Said below.
  }
  throw executionErrors.make('journal_corrupt', `${path}: row ${seq} is no entry of a journal`, { path, row: seq });
}

/** Throws as the two above. */
export function* readRows(db: Database.Database, path: string, fromSeq: number): Generator<JournalRow> {
  for (const row of readPages(db, path, fromSeq)) yield rowOf(row, path);
}
