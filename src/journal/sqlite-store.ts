/**
 * Journal of live and paper: SQLite WAL, one fsynced transaction per append, hash chain. Lock timeout 0, because
 * waiting blocks the event loop.
 */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder, createPrivateFile, requireOwned } from './files/files.ts';
import type { JournalEntry, JournalStore } from '../model/entries/journal.ts';
import { isTidewireError, type TidewireError } from '../model/errors.ts';
import { corrupt, journalErrors } from './errors.ts';
import { lastSegment } from './archive/archive-table.ts';
import { StoreArchive } from './archive/store-archive.ts';
import { bodyOf, GENESIS, linkHash, linkProblem, onceKey, type StoredRow } from './chain.ts';
import { acquireLock, type SessionLock } from './files/lock.ts';
import {
  BACKUP_KEY,
  boundFile,
  checkDatabase,
  prepareDatabase,
  readMeta,
  removeMeta,
  type PragmaOptions,
} from './schema.ts';
import { noteIntegrity, wantsFullCheck } from './integrity.ts';
import { abandon, LinkedFiles, LogFrames } from './files/linked-files.ts';
import { holdReserve } from './files/reserve.ts';
import { hashOfRow, readRows } from './rows.ts';
import { newestSnapshot, noteSnapshot } from './snapshots.ts';
import { guarded, journalError } from './sqlite-errors.ts';
import { readWitness, rewoundBecause, rewoundEntry, Witness, type Tail, type Testimony } from './files/witness.ts';

export const JOURNAL_FILE = 'journal.db';
/** Rows checked at every start. `journal verify` checks all. */
const TAIL_ROWS = 1_000;
/** ms that a reader may delay the start. */
const OPENING_MS = 2_000;
const CHECKPOINT_ROWS = 500;
/** Beyond these the log is folded in without waiting for an idle moment. */
const WAL_BYTES_MAX = 32 * 1024 * 1024;
const WAL_LOOK_ROWS = 4_096;

export interface JournalOpenOptions extends Partial<PragmaOptions> {
  /** Unix ms. Enables the weekly complete check. */
  readonly now?: number;
  /** Released when the disk is full. Default 0: none. */
  readonly reserveBytes?: number;
}

/** Opens or creates. Throws `journal_locked` (3), `journal_corrupt`, `journal_newer`, `journal_full`, `journal_failed` (5). */
export function openJournal(dir: string, options: JournalOpenOptions = {}): JournalStore {
  const path = join(dir, JOURNAL_FILE);
  guarded(dir, 'cannot create', () => {
    makeFolder(dir, 0o700);
    requireOwned(dir);
    if (existsSync(path)) requireOwned(path);
    chmodSync(dir, 0o700);
  });
  const lock = acquireLock(dir);
  let db: Database.Database | undefined;
  try {
    createPrivateFile(path);
    // Only at the start. Later waits would block the session.
    db = new Database(path, { timeout: OPENING_MS });
    prepareDatabase(db, path, { durability: 'full', ...options });
    db.pragma('busy_timeout = 0');
    const isFull = options.now !== undefined && wantsFullCheck(db, options.now);
    checkDatabase(db, path, isFull ? 'integrity_check' : 'quick_check');
    const tail = checkTail(db, path);
    const testimony = readWitness(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const makeRoom = roomMaker(db, dir, options);
    const witness = new Witness(path, testimony);
    const store = createStore({ db, path, lock, tail, makeRoom, witness });
    noteOlder(db, store, testimony);
    if (options.now !== undefined) noteIntegrity(db, store, options.now, isFull);
    store.noteTail();
    return store;
  } catch (thrown) {
    db?.close();
    lock.release();
    throw isTidewireError(thrown) ? thrown : journalError(thrown, path, 'cannot open');
  }
}

const BACKUP: JournalEntry = {
  kind: 'restored',
  event: 'restored',
  reason: 'restored from a backup: later rows are unknown here',
};
const UNREADABLE = 'it is unknown whether the journal lost rows before this one: its witness cannot be read';

/** A backup, or a journal behind its witness, first gets a row that says so, dated as its last. */
function noteOlder(db: Database.Database, store: JournalStore, testimony: Testimony): void {
  const isBackup = readMeta(db, BACKUP_KEY) !== undefined;
  const because = rewoundBecause(testimony, store.lastSeq, (seq) => hashOfRow(db, seq));
  const [last] = store.read(store.lastSeq);
  const ts = last?.ts ?? 0;
  if (isBackup) store.append(ts, [BACKUP]);
  else if (because !== null) store.append(ts, [rewoundEntry(because)]);
  if (testimony.kind === 'unreadable')
    store.append(ts, [{ kind: 'alarm', code: 'journal_witness', message: `${UNREADABLE} (${testimony.reason})` }]);
  // A crash before this repeats the row, which is harmless.
  if (isBackup) removeMeta(db, BACKUP_KEY);
}

function checkTail(db: Database.Database, path: string): Tail {
  const archived = lastSegment(db);
  const rows = db
    .prepare<[number, number], StoredRow>(
      'SELECT seq, ts, body, hash FROM journal WHERE seq > ? ORDER BY seq DESC LIMIT ?',
    )
    .all(archived?.last ?? 0, TAIL_ROWS + 1)
    .reverse();
  const oldest: Tail = { seq: archived?.last ?? 0, hash: archived?.hash ?? GENESIS };
  let previous: Tail = (rows.length > TAIL_ROWS ? rows.shift() : undefined) ?? oldest;
  for (const row of rows) {
    const problem = linkProblem(row, previous.seq, previous.hash);
    if (problem !== undefined) throw corrupt(path, `: ${problem}`, row.seq);
    previous = row;
  }
  return { seq: previous.seq, hash: previous.hash };
}

/** Makes room once. A bounded file may grow by the reserve. */
function roomMaker(
  db: Database.Database,
  dir: string,
  { maxBytes, reserveBytes = 0 }: JournalOpenOptions,
): () => boolean {
  const release = holdReserve(dir, reserveBytes);
  return () => {
    const isReleased = release();
    if (isReleased && maxBytes !== undefined) boundFile(db, maxBytes + reserveBytes);
    return isReleased;
  };
}

interface StoreParts {
  readonly db: Database.Database;
  readonly path: string;
  readonly lock: SessionLock;
  readonly tail: Tail;
  /** True when a retry may succeed. */
  readonly makeRoom: () => boolean;
  readonly witness: Witness;
}

interface WitnessedStore extends JournalStore {
  noteTail(): void;
}

function createStore({ db, path, lock, tail, makeRoom, witness }: StoreParts): WitnessedStore {
  const insert = db.prepare<[number, number, string, string | null, string, string]>(
    'INSERT INTO journal (seq, ts, kind, once, body, hash) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let { seq, hash } = tail;
  let sinceCheckpoint = 0;
  let sinceLook = 0;
  let open = true;
  let failing: TidewireError | null = null;
  const frames = new LogFrames(`${path}-wal`, Number(db.pragma('page_size', { simple: true })));
  const files = new LinkedFiles(path, undefined, frames.hasHole);

  const archive = new StoreArchive(db, path, () => {
    files.appended();
    // Scattered pages, so checkpoint often.
    sinceCheckpoint += CHECKPOINT_ROWS / 8;
  });

  const write = db.transaction((ts: number, entries: readonly JournalEntry[]): Tail => {
    let next: Tail = { seq, hash };
    for (const entry of entries) {
      const body = bodyOf(entry);
      const nextSeq = next.seq + 1;
      const link = linkHash(next.hash, nextSeq, ts, body);
      const once = onceKey(entry);
      if (once !== null) archive.requireNew(entry.kind, once);
      insert.run(nextSeq, ts, entry.kind, once, body, link);
      if (entry.kind === 'snapshot') noteSnapshot(db, nextSeq, entry.at);
      next = { seq: nextSeq, hash: link };
    }
    return next;
  });

  const boundLog = (rows: number): void => {
    sinceCheckpoint += rows;
    sinceLook += rows;
    if (sinceLook < WAL_LOOK_ROWS) return;
    sinceLook = 0;
    const log = `${path}-wal`;
    if (existsSync(log) && statSync(log).size > WAL_BYTES_MAX) checkpoint('TRUNCATE');
  };

  const missingFiles = (of: 'rows' | 'all'): TidewireError | null => {
    const missing = files.missing(of);
    if (missing !== null) abandon(db);
    return missing;
  };

  const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE'): void => {
    sinceCheckpoint = 0;
    if (files.gone !== null) return;
    try {
      db.pragma(`wal_checkpoint(${mode})`);
    } catch {
      // Rows are durable. The next append reports the disk error.
    }
    if (mode === 'TRUNCATE') files.folded();
  };

  return {
    append: (ts, entries) => {
      if (!open) throw journalErrors.make('journal_failed', `${path} is closed`, { path });
      if (entries.length === 0) return seq;
      const missing = missingFiles('rows');
      if (missing !== null) throw missing;
      try {
        ({ seq, hash } = write.immediate(ts, entries));
      } catch (thrown) {
        const error = journalError(thrown, path, 'cannot append to');
        if (error.code !== 'journal_full' || !makeRoom()) throw error;
        failing = error;
        // One transaction, so a failure undoes all.
        ({ seq, hash } = guarded(path, 'cannot append to', () => write.immediate(ts, entries)));
      }
      files.appended();
      boundLog(entries.length);
      return seq;
    },
    get failing() {
      return files.gone ?? failing;
    },
    read: (fromSeq = 1) => readRows(db, path, fromSeq),
    archive,
    lastSnapshot: () => newestSnapshot(db, path),
    get lastSeq() {
      return seq;
    },
    idle: () => {
      if (!open || missingFiles('all') !== null) return;
      if (failing === null) archive.takeOut();
      const isDue = sinceCheckpoint >= CHECKPOINT_ROWS;
      if (isDue) checkpoint('PASSIVE');
      // Durable if a checkpoint was due; else the system writes it back.
      witness.note({ seq, hash }, isDue);
    },
    noteTail: () => witness.note({ seq, hash }, true),
    close: () => {
      if (!open) return;
      open = false;
      const missing = missingFiles('all');
      frames.close();
      if (missing !== null) return lock.release();
      checkpoint('TRUNCATE');
      witness.note({ seq, hash }, true);
      makeRoom();
      try {
        db.close();
      } finally {
        lock.release();
      }
    },
  };
}
