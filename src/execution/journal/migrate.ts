/**
 * Older journals brought to the schema of this version (reliability §4.3, 8): a verified copy beside the file, all steps in
 * one transaction, then proof that no row changed. Rows are never rewritten, since each hash covers the ones before it;
 * steps add what speeds up or bounds reading. A death anywhere leaves the old schema or the new one, whole.
 */
import { existsSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { executionErrors } from '../errors.ts';
import { createPrivateFile } from './private-file.ts';
import { requireRows, rowsMark, type RowsMark } from './rows.ts';

/** Kinds of the few rows that explain a session without its orders. */
export const LANDMARKS = `'session', 'kill', 'restored', 'gate', 'alarm'`;

/** From version 1 on, one step each: step 0 makes version 2. Never changed once released. */
export const SCHEMA_STEPS: readonly string[] = [
  // The few rows that explain a session, found without reading all: an index over them alone costs orders nothing.
  `CREATE INDEX journal_landmarks ON journal (kind, seq) WHERE kind IN (${LANDMARKS})`,
];

const AFTER = 'after the migration';

/** Where the copy of a journal of that version lies. */
export function migrationCopy(path: string, version: number): string {
  return `${path}.v${version}.bak`;
}

/** Does nothing when the journal is of this version. Throws `journal_corrupt` or what SQLite throws, and has then changed nothing. */
export function migrate(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const steps = SCHEMA_STEPS.slice(version - 1);
  if (steps.length === 0) return;
  const before = rowsMark(db);
  keepCopy(db, path, version, before);
  db.transaction(() => {
    for (const step of steps) db.exec(step);
    requireRows(db, path, before, AFTER);
    db.pragma(`user_version = ${version + steps.length}`);
  }).immediate();
}

/** A copy of an attempt that died is made anew: the journal still is what it was. */
function keepCopy(db: Database.Database, path: string, version: number, before: RowsMark): void {
  const target = migrationCopy(path, version);
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${target}${suffix}`, { force: true });
  createPrivateFile(target);
  db.prepare('VACUUM INTO ?').run(target);
  if (!existsSync(target)) throw executionErrors.make('journal_failed', `${target} could not be written`, { path });
  const copy = new Database(target, { readonly: true });
  try {
    requireRows(copy, target, before, AFTER);
  } finally {
    copy.close();
  }
}
