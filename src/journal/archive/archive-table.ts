/**
 * Which rows lie in which segment, and the once-keys of deleted rows. A row's key is kept in the transaction that deletes it.
 * Until all are deleted, rows are in both places and the segment is read.
 *
 *   file written ─▶ noted here ─▶ rows taken out, piece by piece
 */
import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/archive-segment.ts';
import { LANDMARK_KINDS } from '../landmarks.ts';

export const ARCHIVE_SCHEMA = `
CREATE TABLE archive (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, before TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE archived_once (key INTEGER PRIMARY KEY) STRICT;
`;

/** Per transaction, one a second: about 2 ms, faster than 10 orders a second write. */
const PIECE_ROWS = 100;

/** A collision of these 63 bits stops the session; it doubles no order. */
export function keyNumber(kind: string, once: string): bigint {
  return BigInt.asUintN(63, hash('sha256', `${kind}\n${once}`, 'buffer').readBigUInt64BE());
}

/** False in an older read-only journal. */
function hasArchive(db: Database.Database): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'archive'`).get() !== undefined;
}

/** Oldest first, gapless from row 1. */
export function segmentsOf(db: Database.Database): readonly Segment[] {
  if (!hasArchive(db)) return [];
  return db.prepare<[], Segment>('SELECT first, last, before, hash FROM archive ORDER BY first').all();
}

export function segmentWith(db: Database.Database, seq: number): Segment | undefined {
  if (!hasArchive(db)) return undefined;
  return db
    .prepare<[number, number], Segment>('SELECT first, last, before, hash FROM archive WHERE first <= ? AND last >= ?')
    .get(seq, seq);
}

export function lastSegment(db: Database.Database): Segment | undefined {
  if (!hasArchive(db)) return undefined;
  return db.prepare<[], Segment>('SELECT first, last, before, hash FROM archive ORDER BY first DESC LIMIT 1').get();
}

/** Throws `RangeError` unless it follows the previous one and matches the rows. */
export function noteSegment(db: Database.Database, segment: Segment): void {
  const { first, last, before, hash: link } = segment;
  db.transaction(() => {
    const row = db.prepare<[number], { hash: string }>('SELECT hash FROM journal WHERE seq = ?').get(last);
    if (first !== (lastSegment(db)?.last ?? 0) + 1 || row?.hash !== link)
      throw new RangeError(`the segment ${first} to ${last} is not of the rows that come next`);
    db.prepare('INSERT INTO archive (first, last, before, hash) VALUES (?, ?, ?, ?)').run(first, last, before, link);
  }).immediate();
}

interface KeyedRow {
  readonly seq: number;
  readonly kind: string;
  readonly once: string | null;
}

/** Keeps landmarks. `after`: the last result, 0 at first. Null: none left. */
export function dropPiece(db: Database.Database, after: number): number | null {
  const to = lastSegment(db)?.last ?? 0;
  const rows = db
    .prepare<[number, number, number], KeyedRow>(
      'SELECT seq, kind, once FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
    )
    .all(after, to, PIECE_ROWS);
  if (rows.length === 0) return null;
  const remove = db.prepare('DELETE FROM journal WHERE seq = ?');
  const keep = db.prepare('INSERT OR IGNORE INTO archived_once (key) VALUES (?)');
  db.transaction(() => {
    for (const { seq, kind, once } of rows) {
      if (LANDMARK_KINDS.has(kind)) continue;
      if (once !== null) keep.run(keyNumber(kind, once));
      remove.run(seq);
    }
  }).immediate();
  return rows.at(-1)?.seq ?? null;
}
