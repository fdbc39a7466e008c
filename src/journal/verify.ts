/**
 * Reads a journal, also beside a running session: its rows, and the check of file, seq, hash chain, state hash and
 * witness.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { JournalEntry, JournalRow } from '../model/entries/journal.ts';
import { isTidewireError, messageOf, type TidewireError } from '../model/errors.ts';
import { corrupt, journalErrors } from './errors.ts';
import type { SnapshotEntry } from '../model/entries/snapshot-entry.ts';
import { Replay, stateHash } from '../spine/replay.ts';
import { replayOf, SNAPSHOT_VERSION, snapshotText, textOf } from '../spine/snapshot/snapshot.ts';
import { GENESIS, linkProblem, onceKey, type StoredRow } from './chain.ts';
import { LANDMARKS } from './archive/archive-table.ts';
import { hashOfRow, readPages, readRows, rowOf, type RowsWanted } from './rows.ts';
import { newestSnapshot } from './snapshots.ts';
import { APPLICATION_ID, checkDatabase, requireKnownSchema } from './schema.ts';
import { guarded, journalError, sqliteCode } from './sqlite-errors.ts';
import { JOURNAL_FILE } from './sqlite-store.ts';
import { readWitness, REWOUND, rewoundBecause } from './files/witness.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly rows: number;
  /** First wrong seq; 0: the file itself; null: none. */
  readonly brokenAt: number | null;
  readonly stateHash: string | null;
  readonly problem: string | null;
}

/**
 * Resolves a session directory or file to the journal file. Throws `journal_not_found`, or `journal_rewound` if the
 * witness knows rows.
 */
export function journalPath(place: string): string {
  const path = existsSync(place) && statSync(place).isDirectory() ? join(place, JOURNAL_FILE) : place;
  if (!existsSync(path)) throw notThere(path, `there is no journal at ${path}`);
  return path;
}

function notThere(path: string, text: string): TidewireError {
  const testimony = basename(path) === JOURNAL_FILE ? readWitness(path) : null;
  const because = testimony === null ? null : rewoundBecause(testimony, 0, () => undefined);
  return because === null
    ? journalErrors.make('journal_not_found', text, { path })
    : journalErrors.make('journal_rewound', `${path}: ${because}`, { path });
}

/** Read-only. Throws `journal_corrupt` when not a journal, `journal_newer`, `journal_unreadable` when inaccessible. */
export function openReadonly(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, timeout: 1_000 });
    const { application, isBare } = headOf(db);
    // The file exists, but has no transaction yet.
    if (application === 0 && isBare) throw notThere(path, `the journal ${path} holds nothing yet`);
    if (application !== APPLICATION_ID) throw corrupt(path, ' is no tidewire journal');
    requireKnownSchema(db, path);
    return db;
  } catch (thrown) {
    db?.close();
    if (isTidewireError(thrown)) throw thrown;
    // SQLite must create a missing log.
    if (/^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(thrown))) {
      const text = `${path}, or the log that belongs beside it, cannot be opened: ${messageOf(thrown)}`;
      throw journalErrors.make('journal_unreadable', text, { path, sqlite: sqliteCode(thrown) }, thrown);
    }
    throw journalError(thrown, path, 'cannot read');
  }
}

/** Session folder or file, read-only; may be in use. Throws as `journalPath` and `openReadonly` do. */
export function reading<Answer>(place: string, run: (db: Database.Database, path: string) => Answer): Answer {
  const path = journalPath(place);
  const db = openReadonly(path);
  try {
    return run(db, path);
  } finally {
    db.close();
  }
}

/** One transaction, because a first commit in between would look foreign. */
function headOf(db: Database.Database): { readonly application: number; readonly isBare: boolean } {
  return db.transaction(() => ({
    application: Number(db.pragma('application_id', { simple: true })),
    isBare: db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n === 0,
  }))();
}

const NOT_BROKEN: readonly string[] = ['journal_not_found', 'journal_newer', 'journal_unreadable', REWOUND];

/** Throws `journal_not_found` (also before the first transaction), `journal_newer`, `journal_unreadable`; reports damage. */
export function verifyJournal(place: string): VerifyReport {
  try {
    return reading(place, (db, path) => {
      checkDatabase(db, path, 'quick_check');
      return walk(db, path);
    });
  } catch (thrown) {
    if (isTidewireError(thrown) && NOT_BROKEN.includes(thrown.code)) throw thrown;
    return { ok: false, rows: 0, brokenAt: 0, stateHash: null, problem: messageOf(thrown) };
  }
}

function walk(db: Database.Database, path: string): VerifyReport {
  const replay = new Replay();
  let seq = 0;
  let hash = GENESIS;
  for (const row of readPages(db, path, 1)) {
    const problem =
      linkProblem(row, seq, hash) ?? keyProblem(row) ?? replayProblem(replay, row, (from) => readRows(db, path, from));
    if (problem !== undefined) return { ok: false, rows: seq, brokenAt: row.seq, stateHash: null, problem };
    seq = row.seq;
    hash = row.hash;
  }
  const index = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'journal_once'").get();
  const problem = index === undefined ? 'the index that refuses a second sending is gone' : null;
  const brokenAt = problem === null ? null : 0;
  return { ok: problem === null, rows: seq, brokenAt, stateHash: stateHash(replay.state), problem };
}

/** The columns beside the body are in no hash. */
function keyProblem({ seq, body, kind, once }: StoredRow): string | undefined {
  if (kind === undefined) return undefined;
  const entry = JSON.parse(body) as JournalEntry;
  return entry.kind === kind && onceKey(entry) === once ? undefined : `the columns of row ${seq} were changed`;
}

function replayProblem(replay: Replay, row: StoredRow, rowsFrom: RowsFrom): string | undefined {
  try {
    const entry = JSON.parse(row.body) as JournalEntry;
    const problem = entry.kind === 'snapshot' ? snapshotProblem(replay, entry, rowsFrom) : undefined;
    if (problem !== undefined) return `row ${row.seq}: ${problem}`;
    replay.row({ seq: row.seq, ts: row.ts, entry });
    return undefined;
  } catch (thrown) {
    return `row ${row.seq} cannot be replayed: ${messageOf(thrown)}`;
  }
}

type RowsFrom = (fromSeq: number) => Iterable<JournalRow>;

/** The snapshot must equal `replay`, the state of all rows before it. Other versions are skipped. */
function snapshotProblem(replay: Replay, entry: SnapshotEntry, rowsFrom: RowsFrom): string | undefined {
  if (entry.version !== SNAPSHOT_VERSION) return undefined;
  const resumed = replayOf(textOf(entry));
  for (const row of rowsFrom(entry.at + 1)) {
    if (row.seq > replay.rows) break;
    resumed.row(row);
  }
  if (snapshotText(resumed) === snapshotText(replay)) return undefined;
  return `the snapshot is not the state of the rows up to ${entry.at}`;
}

/** Oldest first; undefined when not a landmark kind. */
export function readLandmarks(place: string, kind: string): readonly JournalRow[] | undefined {
  if (!LANDMARKS.includes(`'${kind}'`)) return undefined;
  const of = `SELECT seq, ts, body, hash FROM journal WHERE kind IN (${LANDMARKS}) AND kind = ? ORDER BY seq`;
  return reading(place, (db, path) =>
    guarded(path, 'cannot read', () =>
      db
        .prepare<[string], StoredRow>(of)
        .all(kind)
        .map((row) => rowOf(row, path)),
    ),
  );
}

/** May be in use. Throws `journal_not_found`, `journal_corrupt`, `journal_archive`, `journal_failed`. */
export function* readJournal(place: string, fromSeq = 1, of: RowsWanted = {}): Generator<JournalRow> {
  const path = journalPath(place);
  const db = openReadonly(path);
  try {
    yield* readRows(db, path, fromSeq, of);
  } finally {
    db.close();
  }
}

/** From row 1. Each row is checked to follow the one before it. */
export function provedJournal(place: string, wanted?: (body: string) => boolean): Generator<JournalRow> {
  return readJournal(place, 1, { wanted, proves: true });
}

/** Checks the rows that a replay reads: those from the newest snapshot on. Throws as `readJournal` does. */
export function requireUnbroken(place: string): void {
  const from = reading(place, (db, path) => newestSnapshot(db, path)?.at ?? 1);
  for (const row of readJournal(place, from, { proves: true })) void row;
}

export type JournalDoubt =
  /** Amnesia mode until acknowledged. `brokenAt`: first differing row. */
  | { readonly kind: 'rewound'; readonly message: string; readonly because: string; readonly brokenAt: number }
  | { readonly kind: 'unreadable'; readonly message: string };

/** Session folder or journal. Files with other names have no witness. Throws as `openReadonly` does. */
export function journalDoubt(place: string): JournalDoubt | null {
  const path = existsSync(place) && statSync(place).isFile() ? place : join(place, JOURNAL_FILE);
  if (basename(path) !== JOURNAL_FILE) return null;
  // A running journal is never behind its witness.
  const testimony = readWitness(path);
  if (testimony.kind === 'none') return null;
  if (testimony.kind === 'unreadable')
    return { kind: 'unreadable', message: `the witness of ${path} cannot be read: ${testimony.reason}` };
  try {
    return reading(path, (db) => {
      const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
      const because = rewoundBecause(testimony, last, (seq) => hashOfRow(db, seq));
      if (because === null) return null;
      return {
        kind: 'rewound',
        message: `${path}: ${because}`,
        because,
        brokenAt: Math.min(last + 1, testimony.tail.seq),
      };
    });
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== REWOUND) throw thrown;
    return { kind: 'rewound', message: thrown.message, because: 'the journal is gone', brokenAt: 1 };
  }
}

/** Throws `journal_rewound` where the witness knows rows that are lost, and as `openReadonly` does. */
export function requireNotRewound(place: string): void {
  const doubt = journalDoubt(place);
  if (doubt?.kind === 'rewound') throw journalErrors.make(REWOUND, doubt.message, { path: place });
}
