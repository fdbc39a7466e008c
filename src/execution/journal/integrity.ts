/**
 * SQLite's whole check of a journal, once a week (reliability §4.3, 5): at the opening that finds the last one too old, and
 * by `session/integrity-watch.ts` in a session that runs for longer. Its result is a row; when it was, stands in `meta`.
 */
import type Database from 'better-sqlite3';
import type { JournalEntry, JournalStore } from '../../model/journal.ts';
import { readMeta, writeMeta } from './schema.ts';

export const INTEGRITY_EVERY_MS = 7 * 24 * 3_600_000;
const CHECKED_KEY = 'integrity-checked';

/** An empty journal has nothing to check; from its first opening on the week counts. */
export function wantsFullCheck(db: Database.Database, now: number): boolean {
  const last = readMeta(db, CHECKED_KEY);
  if (last === undefined) return db.prepare('SELECT seq FROM journal LIMIT 1').get() !== undefined;
  return Math.abs(now - Number(last)) >= INTEGRITY_EVERY_MS;
}

/** After the check, which throws where it finds something: a journal that is broken is not written to. */
export function noteIntegrity(db: Database.Database, store: JournalStore, now: number, wasFull: boolean): void {
  if (!wasFull && readMeta(db, CHECKED_KEY) !== undefined) return;
  const [last] = store.read(store.lastSeq);
  if (wasFull) store.append(Math.max(now, last?.ts ?? 0), [integrityRow('ok')]);
  writeMeta(db, CHECKED_KEY, String(now));
}

export function integrityRow(result: string): JournalEntry {
  return { kind: 'record', name: 'integrity-check', data: { result } };
}
