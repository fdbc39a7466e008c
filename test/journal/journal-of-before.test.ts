/**
 * A journal that the build before the spine wrote (commit eb8eb755, schema 2), killed with orders open, one of unknown outcome, a
 * symbol halted and a transfer of unknown outcome. `before/seen.json` is what that build's own commands said of it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../src/journal/schema.ts';
import { migrationCopy } from '../../src/journal/migrate.ts';
import { replayJournal } from '../../src/journal/resume.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

/** The schema of version 2 as it was released. */
const VERSION_2 = `
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
CREATE INDEX journal_landmarks ON journal (kind, seq) WHERE kind IN ('session', 'kill', 'restored', 'gate', 'alarm');
`;

interface Row {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly once: string | null;
  readonly body: string;
  readonly hash: string;
}

const text = (name: string): string => readFileSync(join(import.meta.dirname, 'before', name), 'utf8');

/** Puts the journal below `data/sessions` of a fresh folder, as that build left it. */
function before(): { readonly cwd: string; readonly path: string } {
  const cwd = freshFolder();
  const { id } = JSON.parse(text('session.json'));
  const path = join(cwd, 'data', 'sessions', id);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, 'session.json'), text('session.json'));
  const db = new Database(join(path, 'journal.db'));
  db.exec(VERSION_2);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma('user_version = 2');
  const insert = db.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)');
  for (const line of text('rows.jsonl').trim().split('\n')) {
    const { seq, ts, kind, once, body, hash }: Row = JSON.parse(line);
    insert.run(seq, ts, kind, once, body, hash);
  }
  db.close();
  return { cwd, path };
}

it('tells what the build before told of its journal, before it is migrated and after', async () => {
  const { cwd, path } = before();
  const { status: seen, money } = JSON.parse(text('seen.json'));
  // That build valued a fee in base at the last price; it is valued at its fill (metrics).
  const status = { ...seen, fees: 0.138027123 };
  expect(status.fees).toBeCloseTo(seen.fees, 3);
  const look = async (): Promise<void> => {
    const told = documentOf<{ readonly sessions: readonly object[] }>(await run(['status', '--json'], { cwd }));
    expect(told.sessions).toEqual([
      {
        ...status,
        pauses: {},
        programs: [],
        unprotected: [],
        panicked: [],
        stopped: {},
        p2p: { advertisements: [], trades: [] },
        origin: expect.any(String),
        lost: null,
        pricedAt: expect.any(Number),
        dashboard: null,
        path: expect.any(String),
      },
    ]);
    // Before order programs existed.
    const programs = documentOf<{ readonly programs: readonly unknown[] }>(await run(['programs', '--json'], { cwd }));
    expect(programs.programs).toEqual([]);
    const [moved] = replayJournal(path).state.money.records();
    expect(moved).toMatchObject(money);
  };
  await look();
  const verified = verifyJournal(path);
  expect(verified).toMatchObject({ ok: true, rows: 47 });

  openJournal(path).close();
  expect(verifyJournal(path)).toEqual(verified);
  expect(verifyJournal(migrationCopy(join(path, 'journal.db'), 2))).toEqual(verified);
  await look();

  const journal = openJournal(path);
  journal.append(status.startedAt + 60_000, [{ kind: 'note', strategy: 'before', text: 'newer' }]);
  journal.close();
  expect(verifyJournal(path)).toMatchObject({ ok: true, rows: 48 });
  expect(SCHEMA_VERSION).toBeGreaterThan(2);
});
