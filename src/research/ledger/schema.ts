/** Tables of the trial ledger, and opening it. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../journal/files/files.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { researchErrors } from '../errors.ts';

const VERSION = 1;
/** Wait for other commands; they write in milliseconds. */
const BUSY_MS = 5_000;

const TABLES = `
CREATE TABLE IF NOT EXISTS trial (
  id INTEGER PRIMARY KEY,
  run_hash TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  command TEXT NOT NULL,
  strategy TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  data_hash TEXT NOT NULL,
  period_from REAL NOT NULL,
  period_to REAL NOT NULL,
  seed INTEGER NOT NULL,
  params TEXT NOT NULL,
  stats TEXT NOT NULL,
  sample_ms INTEGER NOT NULL,
  returns BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS trial_data ON trial (data_hash);
CREATE TABLE IF NOT EXISTS study (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  strategy TEXT NOT NULL,
  method TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS study_trial (
  study INTEGER NOT NULL REFERENCES study (id),
  number INTEGER NOT NULL,
  rung INTEGER NOT NULL,
  params TEXT NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (study, number, rung)
) STRICT;
CREATE TABLE IF NOT EXISTS data_series (
  data_hash TEXT NOT NULL,
  number INTEGER NOT NULL,
  span_ms REAL NOT NULL,
  period_from REAL NOT NULL,
  period_to REAL NOT NULL,
  parts BLOB NOT NULL,
  PRIMARY KEY (data_hash, number)
) STRICT;
CREATE TABLE IF NOT EXISTS lockbox_opening (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  strategy TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  data_hash TEXT NOT NULL,
  period_from REAL NOT NULL,
  period_to REAL NOT NULL,
  result TEXT NOT NULL
) STRICT;
`;

/**
 * Reads or writes the ledger. SQLite undoes torn transactions.
 * @throws `trial_ledger` when the disk is full or the file damaged.
 */
export function onLedger<Answer>(db: Database.Database, use: () => Answer): Answer {
  try {
    return use();
  } catch (thrown) {
    const text = `cannot read or write ${db.name}: ${messageOf(thrown)}`;
    throw researchErrors.make('trial_ledger', text, { path: db.name }, thrown);
  }
}

/** @throws `trial_ledger` when the file cannot be made, is no ledger, or is newer than this version. */
export function openLedgerFile(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    if (path !== ':memory:') makeFolder(dirname(path));
    db = new Database(path, { timeout: BUSY_MS });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > VERSION) {
      throw researchErrors.make('trial_ledger', `${path} has version ${version}, this is for ${VERSION}`, { path });
    }
    db.exec(TABLES);
    db.pragma(`user_version = ${VERSION}`);
    return db;
  } catch (thrown) {
    db?.close();
    if (isTidewireError(thrown)) throw thrown;
    throw researchErrors.make('trial_ledger', `cannot open ${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}
