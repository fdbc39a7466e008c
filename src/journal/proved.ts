/** Rows whose hash chain is checked while they are read, also beside a running session. */
import type { JournalRow } from '../model/journal.ts';
import { GENESIS, linkProblem } from './chain.ts';
import { corrupt } from './errors.ts';
import { readPages, rowOf } from './rows.ts';
import { newestSnapshot } from './snapshots.ts';
import { journalPath, openReadonly, reading } from './verify.ts';
import type Database from 'better-sqlite3';

/** From row 1. Throws `journal_not_found`, `journal_corrupt`, `journal_archive`, `journal_failed`. */
export function readProved(place: string, each: (row: JournalRow) => void): void {
  for (const row of provedJournal(place)) each(row);
}

/** From row 1, as `readProved`; rows that are not `wanted` are checked and left out. */
export function* provedJournal(place: string, wanted?: (body: string) => boolean): Generator<JournalRow> {
  const path = journalPath(place);
  const db = openReadonly(path);
  try {
    yield* provedRows(db, path, 1, wanted);
  } finally {
    db.close();
  }
}

/** The rows that a replay reads: those from the newest snapshot on. Throws as `readProved` does. */
export function requireUnbroken(place: string): void {
  reading(place, (db, path) => {
    const from = newestSnapshot(db, path)?.at ?? 1;
    for (const row of provedRows(db, path, from)) void row;
  });
}

/** The link of a first row other than 1 is taken as it stands. */
function* provedRows(
  db: Database.Database,
  path: string,
  fromSeq: number,
  wanted: (body: string) => boolean = () => true,
): Generator<JournalRow> {
  let last: { readonly seq: number; readonly hash: string } | null = fromSeq === 1 ? { seq: 0, hash: GENESIS } : null;
  for (const row of readPages(db, path, fromSeq)) {
    const problem = last === null ? undefined : linkProblem(row, last.seq, last.hash);
    if (problem !== undefined) throw corrupt(path, `: ${problem}`, row.seq);
    if (wanted(row.body)) yield rowOf(row, path);
    last = row;
  }
}
