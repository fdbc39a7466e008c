/**
 * Databases not to be closed, as their files were replaced: closing copies the log, whose hole would zero pages. Node closes at a
 * normal end; `process.exit` does not.
 */
import type Database from 'better-sqlite3';

/** Held, since a collected connection is closed. */
const abandoned = new Set<Database.Database>();

export function abandon(db: Database.Database): void {
  if (abandoned.size === 0) process.once('exit', () => process.exit());
  abandoned.add(db);
}
