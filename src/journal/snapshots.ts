/**
 * The newest snapshot, by its seq in `meta`. Its own hash is checked, because a start checks only the end of the chain.
 */
import type Database from 'better-sqlite3';
import type { SnapshotEntry } from '../model/entries/snapshot-entry.ts';
import type { StoredRow } from './chain.ts';
import { corrupt } from './errors.ts';
import { rowOf } from './rows.ts';
import { readMeta, writeMeta } from './schema.ts';
import { guarded } from './sqlite-errors.ts';

const NEWEST_KEY = 'snapshot';

const COVERED_KEY = 'covered';
/** Rows up to the snapshot before the newest may be archived. */
export const ARCHIVABLE_KEY = 'archivable';

/** Call inside the row's transaction. */
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
  const row = guarded(path, 'cannot read', () =>
    db.prepare<[string], StoredRow>('SELECT seq, ts, body, hash FROM journal WHERE seq = ?').get(seq),
  );
  if (row === undefined) throw corrupt(path, `: row ${seq} is missing`, Number(seq));
  const { entry } = rowOf(row, path);
  if (entry.kind === 'snapshot') return entry;
  throw corrupt(path, `: row ${seq} is no snapshot`, Number(seq));
}
