/** Journals of older versions: brought up to date whole, with a verified copy of what they were. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { migrationCopy } from '../../src/journal/migrate.ts';
import { bodyOf, GENESIS, linkHash } from '../../src/journal/chain.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../src/journal/schema.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { tempDir } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** The schema of version 1 as it was released, word for word. */
const VERSION_1 = `
CREATE TABLE journal (
  seq  INTEGER PRIMARY KEY,
  ts   REAL NOT NULL,
  kind TEXT NOT NULL,
  once TEXT,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX journal_once ON journal (kind, once) WHERE once IS NOT NULL;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

/** A journal as version 1 wrote it: a start, an unfinished send, a note. */
function older(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const place = join(dir, 'session');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const db = new Database(join(place, 'journal.db'));
  db.pragma('journal_mode = WAL');
  db.exec(VERSION_1);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma('user_version = 1');
  const entries: readonly JournalEntry[] = [
    { kind: 'session', event: 'start', boot: 1, bootId: 'b1' },
    { kind: 'sending', intentId: 'b1-1' },
    { kind: 'note', strategy: 's', text: 'older' },
  ];
  let hash = GENESIS;
  for (const [index, entry] of entries.entries()) {
    const body = bodyOf(entry);
    hash = linkHash(hash, index + 1, 10 + index, body);
    const once = entry.kind === 'sending' ? entry.intentId : null;
    db.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)').run(
      index + 1,
      10 + index,
      entry.kind,
      once,
      body,
      hash,
    );
  }
  db.close();
  return place;
}

function versionOf(path: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}

describe('a journal of version 1', () => {
  it('is read by tools without being changed', () => {
    const dir = older();
    expect([...readJournal(dir)].map(({ entry }) => entry.kind)).toEqual(['session', 'sending', 'note']);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 3 });
    expect(versionOf(join(dir, 'journal.db'))).toBe(1);
  });

  it('is migrated when it is opened: every row and its hash stay, and a copy of what it was lies beside it', () => {
    const dir = older();
    const before = verifyJournal(dir);
    const journal = openJournal(dir);
    journal.append(20, [{ kind: 'note', strategy: 's', text: 'newer' }]);
    expect(() => journal.append(21, [{ kind: 'sending', intentId: 'b1-1' }])).toThrow();
    journal.close();
    expect(versionOf(join(dir, 'journal.db'))).toBe(SCHEMA_VERSION);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 4 });
    const copy = migrationCopy(join(dir, 'journal.db'), 1);
    expect(versionOf(copy)).toBe(1);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(verifyJournal(copy)).toEqual(before);
  });

  it('is migrated once: the next start makes no copy', () => {
    const dir = older();
    openJournal(dir).close();
    const copy = migrationCopy(join(dir, 'journal.db'), 1);
    const { mtimeMs } = statSync(copy);
    openJournal(dir).close();
    expect(statSync(copy).mtimeMs).toBe(mtimeMs);
    expect(existsSync(migrationCopy(join(dir, 'journal.db'), SCHEMA_VERSION))).toBe(false);
  });

  it('stays as it was when the migration cannot end, and says so', () => {
    const dir = older();
    const path = join(dir, 'journal.db');
    const db = new Database(path);
    // What the step would make is there already: it fails, as it would on a full disk.
    db.exec('CREATE INDEX journal_landmarks ON journal (ts)');
    db.close();
    expect(() => openJournal(dir)).toThrow(expect.objectContaining({ code: 'journal_failed' }));
    expect(versionOf(path)).toBe(1);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 3 });
    expect(verifyJournal(migrationCopy(path, 1))).toMatchObject({ ok: true, rows: 3 });
  });
});
