/** The newest snapshot, by its seq in `meta`. Its own hash is checked, as a start checks only the chain's end. */
import type Database from 'better-sqlite3';
import type { SnapshotEntry } from '../model/snapshot-entry.ts';
import { journalErrors } from './errors.ts';
import { rowOf, type StoredRow } from './rows.ts';
import { readMeta, writeMeta } from './schema.ts';
import { journalError } from './sqlite-errors.ts';

const NEWEST_KEY = 'snapshot';

const COVERED_KEY = 'covered';
/** Covered by the snapshot before the newest: rows up to it may be archived. */
export const ARCHIVABLE_KEY = 'archivable';

/** Inside the row's transaction. */
export function noteSnapshot(db: Database.Database, seq: number, at: number): void {
  const covered = readMeta(db, COVERED_KEY);
  if (covered !== undefined) writeMeta(db, ARCHIVABLE_KEY, covered);
  writeMeta(db, COVERED_KEY, String(at));
  writeMeta(db, NEWEST_KEY, String(seq));
}

/** Undefined where none. Throws `journal_corrupt`, `journal_failed`. */
export function newestSnapshot(db: Database.Database, path: string): SnapshotEntry | undefined {
  const seq = readMeta(db, NEWEST_KEY);
  if (seq === undefined) return undefined;
  const { entry } = rowOf(storedRow(db, path, Number(seq)), path);
  if (entry.kind === 'snapshot') return entry;
  throw journalErrors.make('journal_corrupt', `${path}: row ${seq} is no snapshot`, { path, row: Number(seq) });
}

function storedRow(db: Database.Database, path: string, seq: number): StoredRow {
  let row: StoredRow | undefined;
  try {
    row = db.prepare<[number], StoredRow>('SELECT seq, ts, body, hash FROM journal WHERE seq = ?').get(seq);
  } catch (thrown) {
    throw journalError(thrown, path, 'cannot read');
  }
  if (row !== undefined) return row;
  throw journalErrors.make('journal_corrupt', `${path}: row ${seq} is missing`, { path, row: seq });
}
