/**
 * Reads a journal without writing: integrity of the file, gapless seq, hash chain, and the hash of the state that its
 * rows lead to. Works beside a running session.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { JournalEntry, JournalRow } from '../../model/journal.ts';
import { isTidewireError, messageOf, type TidewireError } from '../../model/errors.ts';
import { executionErrors } from '../errors.ts';
import { Replay, stateHash } from '../replay.ts';
import { GENESIS, linkHash } from './chain.ts';
import { LANDMARKS } from './migrate.ts';
import { readPages, readRows, rowOf, type StoredRow } from './rows.ts';
import { APPLICATION_ID, checkDatabase } from './schema.ts';
import { journalError, sqliteCode } from './sqlite-errors.ts';
import { JOURNAL_FILE } from './sqlite-store.ts';
import { readWitness, REWOUND, rewoundBecause } from './witness.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly rows: number;
  /** Seq of the first row that is wrong; 0 when the file itself is. */
  readonly brokenAt: number | null;
  readonly stateHash: string | null;
  /** What is wrong. */
  readonly problem: string | null;
}

/** A session directory or a journal file to the file. Throws `journal_not_found`, or `journal_rewound` where rows of it were told. */
export function journalPath(place: string): string {
  const path = existsSync(place) && statSync(place).isDirectory() ? join(place, JOURNAL_FILE) : place;
  if (!existsSync(path)) throw notThere(path, `there is no journal at ${path}`);
  return path;
}

/** One that is gone is another matter than none. */
function notThere(path: string, text: string): TidewireError {
  const told = basename(path) === JOURNAL_FILE ? readWitness(path) : null;
  const because = told === null ? null : rewoundBecause(told, 0, () => undefined);
  return because === null
    ? executionErrors.make('journal_not_found', text, { path })
    : executionErrors.make('journal_rewound', `${path}: ${because}`, { path });
}

/** Opens for reading only. Throws `journal_corrupt` when it is no journal, `journal_unreadable` when nobody could look. */
export function openReadonly(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, timeout: 1_000 });
    const { application, isBare } = headOf(db);
    // Between its creation and its first transaction, or after a death there.
    if (application === 0 && isBare) throw notThere(path, `the journal ${path} holds nothing yet`);
    if (application !== APPLICATION_ID) {
      throw executionErrors.make('journal_corrupt', `${path} is no tidewire journal`, { path });
    }
    return db;
  } catch (thrown) {
    db?.close();
    if (isTidewireError(thrown)) throw thrown;
    if (isUnopened(thrown)) {
      const text = `${path}, or the log that belongs beside it, cannot be opened: ${messageOf(thrown)}`;
      throw executionErrors.make('journal_unreadable', text, { path, sqlite: sqliteCode(thrown) }, thrown);
    }
    throw journalError(thrown, path, 'cannot read');
  }
}

/** A file in WAL mode is opened together with its log, which SQLite has to make where there is none. */
function isUnopened(thrown: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(thrown));
}

/** As of one moment: what comes between two looks, its first transaction, would make it the database of somebody else. */
function headOf(db: Database.Database): { readonly application: number; readonly isBare: boolean } {
  return db.transaction(() => ({
    application: Number(db.pragma('application_id', { simple: true })),
    isBare: db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n === 0,
  }))();
}

const NOT_BROKEN: readonly string[] = ['journal_not_found', 'journal_unreadable', REWOUND];

/** Throws `journal_not_found` where there is none, or none yet, and `journal_unreadable`: these are no broken ones. */
export function verifyJournal(place: string): VerifyReport {
  const path = journalPath(place);
  let db: Database.Database | undefined;
  try {
    db = openReadonly(path);
    checkDatabase(db, path, 'quick_check');
    return walk(db, path);
  } catch (thrown) {
    if (isTidewireError(thrown) && NOT_BROKEN.includes(thrown.code)) throw thrown;
    return { ok: false, rows: 0, brokenAt: 0, stateHash: null, problem: messageOf(thrown) };
  } finally {
    db?.close();
  }
}

function walk(db: Database.Database, path: string): VerifyReport {
  const replay = new Replay();
  let seq = 0;
  let hash = GENESIS;
  for (const row of readPages(db, path, 1)) {
    const problem = linkProblem(row, seq, hash) ?? replayProblem(replay, row);
    if (problem !== undefined) return { ok: false, rows: seq, brokenAt: row.seq, stateHash: null, problem };
    seq = row.seq;
    hash = row.hash;
  }
  return { ok: true, rows: seq, brokenAt: null, stateHash: stateHash(replay.state), problem: null };
}

interface Link {
  readonly seq: number;
  readonly ts: number;
  readonly body: string;
  readonly hash: string;
}

function linkProblem(row: Link, previousSeq: number, previousHash: string): string | undefined {
  if (row.seq !== previousSeq + 1) return `row ${previousSeq + 1} is missing`;
  if (linkHash(previousHash, row.seq, row.ts, row.body) !== row.hash)
    return `row ${row.seq} was changed, or one before it was`;
  return undefined;
}

function replayProblem(replay: Replay, row: Link): string | undefined {
  try {
    replay.row({ seq: row.seq, ts: row.ts, entry: JSON.parse(row.body) as JournalEntry });
    return undefined;
  } catch (thrown) {
    return `row ${row.seq} cannot be replayed: ${messageOf(thrown)}`;
  }
}

/** The landmarks of one kind, oldest first, by their index where the journal has it; undefined when the kind is none. */
export function readLandmarks(place: string, kind: string): readonly JournalRow[] | undefined {
  if (!LANDMARKS.includes(`'${kind}'`)) return undefined;
  const path = journalPath(place);
  const db = openReadonly(path);
  try {
    const rows = db
      .prepare<[string], StoredRow>(
        `SELECT seq, ts, body, hash FROM journal WHERE kind IN (${LANDMARKS}) AND kind = ? ORDER BY seq`,
      )
      .all(kind);
    return rows.map((row) => rowOf(row, path));
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, path, 'cannot read');
  } finally {
    db.close();
  }
}

/** Rows of a journal that may be in use. Throws `journal_not_found`, `journal_corrupt` and `journal_failed`. */
export function* readJournal(place: string, fromSeq = 1): Generator<JournalRow> {
  const path = journalPath(place);
  const db = openReadonly(path);
  try {
    yield* readRows(db, path, fromSeq);
  } finally {
    db.close();
  }
}
