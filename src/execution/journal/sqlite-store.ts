/**
 * The journal of live and paper sessions: SQLite in WAL mode, one transaction per append, fsync before it returns,
 * rows chained by hash. One store per directory and process (`lock.ts`); never waits for a lock (timeout 0), since a
 * wait would stop the event loop.
 */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import type { JournalEntry, JournalStore } from '../../model/journal.ts';
import { isTidewireError, type TidewireError } from '../../model/errors.ts';
import { executionErrors } from '../errors.ts';
import { bodyOf, GENESIS, linkHash, onceKey } from './chain.ts';
import { acquireLock, type SessionLock } from './lock.ts';
import { createPrivateFile, requireOwned } from './private-file.ts';
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
import { LinkedFiles } from './linked-files.ts';
import { LogFrames } from './log-frames.ts';
import { holdReserve } from './reserve.ts';
import { hashOfRow, readRows, type StoredRow } from './rows.ts';
import { journalError } from './sqlite-errors.ts';
import { readWitness, rewoundBecause, rewoundEntry, Witness, type Tail, type Testimony } from './witness.ts';

export const JOURNAL_FILE = 'journal.db';
/** Rows at the end of the chain that are checked at every start; `journal verify` checks all. */
const TAIL_ROWS = 1_000;
/** How long a reader that is just looking may hold up the start, ms. */
const OPENING_MS = 2_000;
const CHECKPOINT_ROWS = 500;
/** Without an idle moment the write-ahead log is folded in here, so that it stays bounded. */
const WAL_BYTES_MAX = 32 * 1024 * 1024;
const WAL_LOOK_ROWS = 4_096;

export interface JournalOpenOptions extends Partial<PragmaOptions> {
  /** Unix ms. With it a journal that was not checked wholly for a week is, instead of quickly. */
  readonly now?: number;
  /** Space beside the journal that is given back when the disk is full. Default 0: none. */
  readonly reserveBytes?: number;
}

/**
 * Opens or creates the journal of a session directory. Throws `journal_locked` (3), `journal_corrupt`,
 * `journal_newer`, `journal_full`, `journal_failed` (5).
 */
export function openJournal(dir: string, options: JournalOpenOptions = {}): JournalStore {
  const path = join(dir, JOURNAL_FILE);
  try {
    makeFolder(dir, 0o700);
    requireOwned(dir);
    if (existsSync(path)) requireOwned(path);
    chmodSync(dir, 0o700);
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, dir, 'cannot create');
  }
  const lock = acquireLock(dir);
  let db: Database.Database | undefined;
  try {
    createPrivateFile(path);
    // Readers are in nobody's way later on, and the bot must not stand still for anything then.
    db = new Database(path, { timeout: OPENING_MS });
    prepareDatabase(db, path, { durability: 'full', ...options });
    db.pragma('busy_timeout = 0');
    const isFull = options.now !== undefined && wantsFullCheck(db, options.now);
    checkDatabase(db, path, isFull ? 'integrity_check' : 'quick_check');
    const tail = checkTail(db, path);
    const told = readWitness(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const makeRoom = roomMaker(db, dir, options);
    const witness = new Witness(path, told);
    const store = createStore({ db, path, lock, tail, makeRoom, witness });
    noteOlder(db, store, told);
    if (options.now !== undefined) noteIntegrity(db, store, options.now, isFull);
    store.tell();
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
  reason: 'restored from a backup: what came after it is unknown here',
};
const UNREADABLE = 'whether the journal lost rows before this one is not known: its witness cannot be read';

/**
 * A marked copy becomes a journal in use, and one that knows less than its witness goes on: it says so in a row, at the time
 * of its last one, before anything else.
 */
function noteOlder(db: Database.Database, store: JournalStore, told: Testimony): void {
  const isBackup = readMeta(db, BACKUP_KEY) !== undefined;
  const because = rewoundBecause(told, store.lastSeq, (seq) => hashOfRow(db, seq));
  const [last] = store.read(store.lastSeq);
  const ts = last?.ts ?? 0;
  if (isBackup) store.append(ts, [BACKUP]);
  else if (because !== null) store.append(ts, [rewoundEntry(because)]);
  if (told.kind === 'unreadable')
    store.append(ts, [{ kind: 'alarm', code: 'journal_witness', message: `${UNREADABLE} (${told.reason})` }]);
  // After the row: a death in between says it twice, which is harmless, instead of never.
  if (isBackup) removeMeta(db, BACKUP_KEY);
}

function checkTail(db: Database.Database, path: string): Tail {
  const rows = db
    .prepare<[number], StoredRow>('SELECT seq, ts, body, hash FROM journal ORDER BY seq DESC LIMIT ?')
    .all(TAIL_ROWS + 1)
    .reverse();
  let previous = rows.length > TAIL_ROWS ? rows.shift() : undefined;
  if (previous === undefined && rows[0] !== undefined && rows[0].seq !== 1) {
    throw executionErrors.make('journal_corrupt', `${path}: begins with row ${rows[0].seq}, not 1`, { path });
  }
  for (const row of rows) {
    const expected = linkHash(previous?.hash ?? GENESIS, row.seq, row.ts, row.body);
    if (row.seq !== (previous?.seq ?? 0) + 1 || row.hash !== expected) {
      throw executionErrors.make('journal_corrupt', `${path}: the chain breaks at row ${row.seq}`, {
        path,
        row: row.seq,
      });
    }
    previous = row;
  }
  return { seq: previous?.seq ?? 0, hash: previous?.hash ?? GENESIS };
}

/** A full disk gives the reserve back, once; a file with a bound may grow by it. */
function roomMaker(
  db: Database.Database,
  dir: string,
  { maxBytes, reserveBytes = 0 }: JournalOpenOptions,
): () => boolean {
  const reserve = holdReserve(dir, reserveBytes);
  return () => {
    const isReleased = reserve.release();
    if (isReleased && maxBytes !== undefined) boundFile(db, maxBytes + reserveBytes);
    return isReleased;
  };
}

interface StoreParts {
  readonly db: Database.Database;
  readonly path: string;
  readonly lock: SessionLock;
  readonly tail: Tail;
  /** True when there may be room now for what found none. */
  readonly makeRoom: () => boolean;
  readonly witness: Witness;
}

interface WitnessedStore extends JournalStore {
  /** Its last row, durably, to the witness. */
  tell(): void;
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

  const write = db.transaction((ts: number, entries: readonly JournalEntry[]): Tail => {
    let next: Tail = { seq, hash };
    for (const entry of entries) {
      const body = bodyOf(entry);
      const nextSeq = next.seq + 1;
      const link = linkHash(next.hash, nextSeq, ts, body);
      insert.run(nextSeq, ts, entry.kind, onceKey(entry), body, link);
      next = { seq: nextSeq, hash: link };
    }
    return next;
  });

  const writeAgain = (ts: number, entries: readonly JournalEntry[]): Tail => {
    try {
      return write.immediate(ts, entries);
    } catch (thrown) {
      throw journalError(thrown, path, 'cannot append to');
    }
  };

  const boundLog = (rows: number): void => {
    sinceCheckpoint += rows;
    sinceLook += rows;
    if (sinceLook < WAL_LOOK_ROWS) return;
    sinceLook = 0;
    const log = `${path}-wal`;
    if (existsSync(log) && statSync(log).size > WAL_BYTES_MAX) checkpoint('TRUNCATE');
  };

  const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE'): void => {
    sinceCheckpoint = 0;
    if (files.gone !== null) return;
    try {
      db.pragma(`wal_checkpoint(${mode})`);
    } catch {
      // The rows are durable in the log already. If the disk is the reason, the next append says so.
    }
    if (mode === 'TRUNCATE') files.folded();
  };

  return {
    append: (ts, entries) => {
      if (!open) throw executionErrors.make('journal_failed', `${path} is closed`, { path });
      if (entries.length === 0) return seq;
      const missing = files.missing('rows');
      if (missing !== null) throw missing;
      try {
        ({ seq, hash } = write.immediate(ts, entries));
      } catch (thrown) {
        const error = journalError(thrown, path, 'cannot append to');
        if (error.code !== 'journal_full' || !makeRoom()) throw error;
        failing = error;
        // Nothing of the failed append stands: it was one transaction.
        ({ seq, hash } = writeAgain(ts, entries));
      }
      files.appended();
      boundLog(entries.length);
      return seq;
    },
    get failing() {
      return files.gone ?? failing;
    },
    read: (fromSeq = 1) => readRows(db, path, fromSeq),
    get lastSeq() {
      return seq;
    },
    idle: () => {
      if (!open || files.missing('all') !== null) return;
      const isDue = sinceCheckpoint >= CHECKPOINT_ROWS;
      if (isDue) checkpoint('PASSIVE');
      // A checkpoint has waited for the disk, too; else the witness is the system's to write back.
      witness.tell({ seq, hash }, isDue);
    },
    tell: () => witness.tell({ seq, hash }, true),
    close: () => {
      if (!open) return;
      open = false;
      const missing = files.missing('all');
      frames.close();
      // A database that is closed is written to first: one whose files are not its own is left to the end of the process.
      if (missing !== null) return lock.release();
      checkpoint('TRUNCATE');
      witness.tell({ seq, hash }, true);
      // A session that has ended needs none.
      makeRoom();
      try {
        db.close();
      } finally {
        lock.release();
      }
    },
  };
}
