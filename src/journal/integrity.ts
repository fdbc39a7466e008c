/** SQLite's complete check, once a week. The result is a row, its time is in `meta`. */
import type Database from 'better-sqlite3';
import type { JournalEntry, JournalStore } from '../model/entries/journal.ts';
import { readMeta, writeMeta } from './schema.ts';

export const INTEGRITY_EVERY_MS = 7 * 24 * 3_600_000;
const CHECKED_KEY = 'integrity-checked';

/** The week starts at the first opening. */
export function wantsFullCheck(db: Database.Database, now: number): boolean {
  const last = readMeta(db, CHECKED_KEY);
  if (last === undefined) return db.prepare('SELECT seq FROM journal LIMIT 1').get() !== undefined;
  return Math.abs(now - Number(last)) >= INTEGRITY_EVERY_MS;
}

/** Called after the check, because a broken journal must not be written. */
export function noteIntegrity(db: Database.Database, store: JournalStore, now: number, wasFull: boolean): void {
  if (!wasFull && readMeta(db, CHECKED_KEY) !== undefined) return;
  const [last] = store.read(store.lastSeq);
  if (wasFull) store.append(Math.max(now, last?.ts ?? 0), [integrityRow('ok')]);
  writeMeta(db, CHECKED_KEY, String(now));
}

export function integrityRow(result: string): JournalEntry {
  return { kind: 'record', name: 'integrity-check', data: { result } };
}
