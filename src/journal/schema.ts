/** Schema, pragmas and checks at opening. Money is text in canonical JSON. */
import type Database from 'better-sqlite3';
import { corrupt, journalErrors } from './errors.ts';
import { migrate, SCHEMA_STEPS } from './migrate.ts';

/** "tide" in ASCII. */
export const APPLICATION_ID = 0x74696465;
export const SCHEMA_VERSION = SCHEMA_STEPS.length + 1;
/** `meta` key of a backup, which is not in use. */
export const BACKUP_KEY = 'backup';

const FIRST_SCHEMA = `
CREATE TABLE journal (
  seq  INTEGER PRIMARY KEY,
  ts   REAL NOT NULL,
  kind TEXT NOT NULL,
  -- what may stand here once only: an intent id, a SENDING, a trade
  once TEXT,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX journal_once ON journal (kind, once) WHERE once IS NOT NULL;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

export interface PragmaOptions {
  readonly durability: 'full' | 'normal';
  /** Of the file; reaching it is `journal_full`. */
  readonly maxBytes?: number;
}

export function prepareDatabase(db: Database.Database, path: string, options: PragmaOptions): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal')
    throw journalErrors.make('journal_failed', `${path} cannot use WAL (got ${String(mode)})`, { path });
  const level = options.durability === 'full' ? 2 : 1;
  db.pragma(`synchronous = ${level}`);
  db.pragma('foreign_keys = ON');
  db.pragma('cell_size_check = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('journal_size_limit = 67108864');
  db.pragma('wal_autocheckpoint = 0');
  if (process.platform === 'darwin') db.pragma('fullfsync = ON');
  checkVersion(db, path);
  migrate(db, path);
  if (options.maxBytes !== undefined) boundFile(db, options.maxBytes);
  probeWrite(db, path, level);
}

export function boundFile(db: Database.Database, maxBytes: number): void {
  const page = Number(db.pragma('page_size', { simple: true }));
  db.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / page))}`);
}

function checkVersion(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  const tables = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  if (version === 0 && tables === 0) {
    db.transaction(() => {
      db.exec(FIRST_SCHEMA);
      for (const step of SCHEMA_STEPS) db.exec(step);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    }).immediate();
    return;
  }
  if (application !== APPLICATION_ID) throw corrupt(path, ' is a database, but no tidewire journal');
  requireKnownSchema(db, path);
}

/** A newer schema may hold rows elsewhere. Throws `journal_newer`. */
export function requireKnownSchema(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version <= SCHEMA_VERSION) return;
  const known = `this version knows ${SCHEMA_VERSION}`;
  throw journalErrors.make('journal_newer', `${path} has schema ${version}, ${known}`, { path });
}

/** Reads the write and the pragma back, to refuse a journal that only seems to work. */
function probeWrite(db: Database.Database, path: string, level: number): void {
  const mark = String((Number(readMeta(db, 'opened')) || 0) + 1);
  writeMeta(db, 'opened', mark);
  const synchronous = Number(db.pragma('synchronous', { simple: true }));
  if (readMeta(db, 'opened') === mark && synchronous === level) return;
  const text = `${path}: what was written is not what is read (synchronous ${synchronous})`;
  throw journalErrors.make('journal_failed', text, { path });
}

export function readMeta(db: Database.Database, key: string): string | undefined {
  return db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

export function writeMeta(db: Database.Database, key: string, value: string): void {
  db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    key,
    value,
  );
}

export function removeMeta(db: Database.Database, key: string): void {
  db.prepare('DELETE FROM meta WHERE key = ?').run(key);
}

/** `quick_check` does not compare indexes with tables. Throws `journal_corrupt`. */
export function checkDatabase(db: Database.Database, path: string, check: 'quick_check' | 'integrity_check'): void {
  const first = db.prepare<[], string>(`PRAGMA ${check}`).pluck().get();
  if (first !== 'ok') throw corrupt(path, `: ${boundedLines(first ?? `no answer of ${check}`)}`);
  const strays = db.prepare<[], { table: string }>('PRAGMA foreign_key_check').all();
  if (strays.length > 0) throw corrupt(path, `: ${strays.length} rows refer to nothing`);
}

const LINES_SHOWN = 3;

/** SQLite lists up to 100 findings in one text. */
function boundedLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const more = lines.length - LINES_SHOWN;
  const shown = lines.slice(0, LINES_SHOWN).join('\n');
  return more > 0 ? `${shown}\n… and ${more} more ${more === 1 ? 'line' : 'lines'} of SQLite` : shown;
}
