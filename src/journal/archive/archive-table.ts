/**
 * Which rows are in which segment, and the once-keys of deleted rows. A row's key is kept in the transaction that
 * deletes it. Until all are deleted, rows are in both places and the segment is read.
 *
 *   file written ─▶ noted here ─▶ rows deleted, piece by piece
 */
import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/entries/archive-segment.ts';

/** Kinds that are indexed and stay when rows are archived. */
export const LANDMARKS = `'session', 'kill', 'restored', 'gate', 'alarm'`;

export const LANDMARK_KINDS: ReadonlySet<string> = new Set(LANDMARKS.replaceAll("'", '').split(', '));

export const ARCHIVE_SCHEMA = `
CREATE TABLE archive (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, before TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE archived_once (key INTEGER PRIMARY KEY) STRICT;
`;

/** A collision of these 63 bits stops the session; it doubles no order. */
export function keyNumber(kind: string, once: string): bigint {
  return BigInt.asUintN(63, hash('sha256', `${kind}\n${once}`, 'buffer').readBigUInt64BE());
}

/** None in an older read-only journal. */
function segments(db: Database.Database, rest: string, ...of: readonly number[]): readonly Segment[] {
  if (!hasTable(db, 'archive')) return [];
  return db.prepare<unknown[], Segment>(`SELECT first, last, before, hash FROM archive ${rest}`).all(...of);
}

/** Oldest first, without gaps from row 1. */
export function segmentsOf(db: Database.Database): readonly Segment[] {
  return segments(db, 'ORDER BY first');
}

export function segmentWith(db: Database.Database, seq: number): Segment | undefined {
  return segments(db, 'WHERE first <= ? AND last >= ?', seq, seq)[0];
}

export function lastSegment(db: Database.Database): Segment | undefined {
  return segments(db, 'ORDER BY first DESC LIMIT 1')[0];
}

export function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}
