/** Segments inside a backup; a restore writes them to files. */
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/archive-segment.ts';

/** Undefined where the journal has files. */
export function carriedBytes(db: Database.Database, { first }: Segment): Buffer | undefined {
  if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'carried'`).get() === undefined) return undefined;
  return db.prepare<[number], Buffer>('SELECT bytes FROM carried WHERE first = ?').pluck().get(first);
}

export function carry(db: Database.Database, { first }: Segment, bytes: Buffer): void {
  db.exec('CREATE TABLE IF NOT EXISTS carried (first INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT');
  db.prepare('INSERT OR REPLACE INTO carried (first, bytes) VALUES (?, ?)').run(first, bytes);
}

export function dropCarried(db: Database.Database): void {
  db.exec('DROP TABLE IF EXISTS carried');
}
