/** Archive files, renamed into place when durable. A start reads none. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/archive-segment.ts';
import { messageOf } from '../../model/errors.ts';
import { journalErrors } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { syncFolder } from '../sync-folder.ts';
import { carriedBytes } from './carried.ts';
import { unpacked, type SegmentRow } from './segment.ts';

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
  const draft = `${path}.partial`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
  syncFolder(dirname(folder));
}

/** Throws `journal_archive` where missing or changed. `db`: the journal. */
export function readSegment(db: Database.Database, segment: Segment): readonly SegmentRow[] {
  return opened(db, segment, (bytes) => unpacked(bytes, segment));
}

/** Verified. Throws as `readSegment` does. */
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
