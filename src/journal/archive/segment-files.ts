/** Archive files, renamed into place once durable. A start reads none of them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/entries/archive-segment.ts';
import { messageOf } from '../../model/errors.ts';
import { journalErrors } from '../errors.ts';
import { makeFolder, syncFolder, writeWhole } from '../files/files.ts';
import { hasTable } from './archive-table.ts';
import type { StoredRow } from '../chain.ts';
import { unpacked } from './segment.ts';

const SEQ_DIGITS = 9;

/** Beside `journal.db`: `journal-archive`. */
export function archiveFolder(journal: string): string {
  return `${journal.replace(/\.db$/, '')}-archive`;
}

export function segmentPath(journal: string, { first, last }: Pick<Segment, 'first' | 'last'>): string {
  const digits = (seq: number): string => String(seq).padStart(SEQ_DIGITS, '0');
  return join(archiveFolder(journal), `${digits(first)}-${digits(last)}.zst`);
}

/** Durable on return. Throws the file system's error, leaving no file. */
export function writeSegment(journal: string, segment: Segment, bytes: Buffer): void {
  const path = segmentPath(journal, segment);
  const folder = dirname(path);
  makeFolder(folder, 0o700);
  writeWhole(path, bytes);
  syncFolder(dirname(folder));
}

/** Throws `journal_archive` when missing or changed. `db`: the journal. */
export function readSegment(db: Database.Database, segment: Segment): readonly StoredRow[] {
  return opened(db, segment, (bytes) => unpacked(bytes, segment));
}

/** Verified bytes. Throws as `readSegment` does. */
export function segmentBytes(db: Database.Database, segment: Segment): Buffer {
  return opened(db, segment, (bytes) => {
    unpacked(bytes, segment);
    return bytes;
  });
}

function opened<Answer>(db: Database.Database, segment: Segment, answer: (bytes: Buffer) => Answer): Answer {
  const path = segmentPath(db.name, segment);
  try {
    return answer(carriedBytes(db, segment) ?? readFileSync(path));
  } catch (thrown) {
    throw journalErrors.make('journal_archive', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

// Inside a backup a segment is a row. A restore writes it to its file.

/** Undefined where the journal has files. */
function carriedBytes(db: Database.Database, { first }: Segment): Buffer | undefined {
  if (!hasTable(db, 'carried')) return undefined;
  return db.prepare<[number], Buffer>('SELECT bytes FROM carried WHERE first = ?').pluck().get(first);
}

export function carry(db: Database.Database, { first }: Segment, bytes: Buffer): void {
  db.exec('CREATE TABLE IF NOT EXISTS carried (first INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT');
  db.prepare('INSERT OR REPLACE INTO carried (first, bytes) VALUES (?, ?)').run(first, bytes);
}

export function dropCarried(db: Database.Database): void {
  db.exec('DROP TABLE IF EXISTS carried');
}
