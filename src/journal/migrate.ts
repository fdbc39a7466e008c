/** Migrates schemas: verified copy, one transaction, and a check that no row changed. Hashes forbid rewriting rows. */
import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ARCHIVE_SCHEMA, LANDMARKS } from './archive/archive-table.ts';
import { createPrivateFile, dropFiles, syncFolder } from './files/files.ts';
import { requireRows, rowsMark, type RowsMark } from './rows.ts';

/**
 * One step per version: step 0 makes version 2. Never changed once released. A kind of row that a start obeys raises the
 * version too, because an older build would pass it over.
 */
export const SCHEMA_STEPS: readonly string[] = [
  // A partial index costs orders nothing.
  `CREATE INDEX journal_landmarks ON journal (kind, seq) WHERE kind IN (${LANDMARKS})`,
  ARCHIVE_SCHEMA,
  // New kinds: `contradicted`, `flatten`, `pause`, `program`, `stop`. The tables stay.
  '',
  // New kind: `used-before`.
  '',
  // Refs of orders in `used-before`.
  '',
];

const AFTER = 'after the migration';

/** The copy of that version. */
export function migrationCopy(path: string, version: number): string {
  return `${path}.v${version}.bak`;
}

/** Throws `journal_corrupt` or SQLite's error, changing nothing. */
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

/** A failed or crashed attempt left the journal, and an earlier copy, unchanged. */
function keepCopy(db: Database.Database, path: string, version: number, before: RowsMark): void {
  const target = migrationCopy(path, version);
  const draft = `${target}.partial`;
  dropFiles(draft);
  try {
    createPrivateFile(draft);
    db.prepare('VACUUM INTO ?').run(draft);
    const copy = new Database(draft, { readonly: true, fileMustExist: true });
    try {
      requireRows(copy, target, before, 'in the copy');
    } finally {
      copy.close();
    }
    renameSync(draft, target);
    syncFolder(dirname(target));
  } finally {
    dropFiles(draft);
  }
}
