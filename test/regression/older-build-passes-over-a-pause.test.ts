/** Kinds of rows that bind a start (pauses, order programs, a stop of a strategy) came without a newer schema, so that an older build went on with such a journal and obeyed none of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { migrationCopy } from '../../src/journal/migrate.ts';
import { replayJournal } from '../../src/journal/resume.ts';
import { SCHEMA_VERSION } from '../../src/journal/schema.ts';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { tempDir } from '../execution/rig.ts';

/**
 * The schema since which builds know a kind. A new kind is entered here with the next version, and a step in
 * `src/journal/migrate.ts`; one that no start obeys (a note) may have the present one.
 */
const KNOWN_SINCE: Readonly<Record<JournalEntry['kind'], number>> = {
  absent: 3,
  adjustment: 3,
  alarm: 3,
  'cancel-wanted': 3,
  'cash-flow': 3,
  claimed: 3,
  closed: 3,
  contradicted: 4,
  correction: 3,
  day: 3,
  decision: 3,
  denial: 3,
  disowned: 3,
  divided: 3,
  fill: 3,
  flatten: 4,
  funding: 3,
  gate: 3,
  halt: 3,
  instrument: 3,
  intent: 3,
  kill: 3,
  latch: 3,
  'limit-override': 3,
  liquidation: 3,
  'money-intent': 3,
  'money-outcome': 3,
  'money-resolved': 3,
  'money-sending': 3,
  note: 3,
  order: 3,
  outcome: 3,
  pause: 4,
  program: 4,
  // An older build keeps the mark of such a position.
  protected: 5,
  'quote-set': 3,
  'read-to': 3,
  record: 3,
  restored: 3,
  'risk-mark': 3,
  sending: 3,
  session: 3,
  snapshot: 3,
  state: 3,
  stop: 4,
  undivided: 3,
  'used-before': 5,
  widened: 3,
  // An older build lets programs end by it, as it did before.
  withheld: 5,
};

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return dir;
}

function schemaOf(path: string, set?: number): unknown {
  const db = new Database(path);
  try {
    if (set !== undefined) db.pragma(`user_version = ${set}`);
    return db.pragma('user_version', { simple: true });
  } finally {
    db.close();
  }
}

const PAUSE: JournalEntry = { kind: 'pause', strategy: 'maker', on: true, reason: 'a human' };

it('journal/kinds-that-bind/have-a-schema-that-an-older-build-refuses', () => {
  expect(Math.max(...Object.values(KNOWN_SINCE))).toBeLessThanOrEqual(SCHEMA_VERSION);
  const dir = place();
  openJournal(dir).close();
  expect(schemaOf(join(dir, JOURNAL_FILE))).toBeGreaterThanOrEqual(KNOWN_SINCE.pause);
});

it('journal/of-schema-3/is-brought-up-to-date-before-it-gets-a-pause', () => {
  const dir = place();
  const path = join(dir, JOURNAL_FILE);
  const older = openJournal(dir);
  older.append(1, [{ kind: 'halt', symbol: 'BTCUSDT', on: true, reason: 'as it was' }]);
  older.close();
  expect(schemaOf(path, 3)).toBe(3);
  const before = verifyJournal(dir);

  // A reader changes nothing.
  expect(replayJournal(dir).state.halts.get('BTCUSDT')).toBe('as it was');
  expect([schemaOf(path), existsSync(migrationCopy(path, 3))]).toEqual([3, false]);

  const journal = openJournal(dir);
  journal.append(2, [PAUSE]);
  journal.close();
  expect(schemaOf(path)).toBe(SCHEMA_VERSION);
  const { state } = replayJournal(dir);
  expect([state.pauses.get('maker'), state.halts.get('BTCUSDT')]).toEqual(['a human', 'as it was']);
  // What the older build can still open is whole, and has no row that it would pass over.
  expect(schemaOf(migrationCopy(path, 3))).toBe(3);
  expect(verifyJournal(migrationCopy(path, 3))).toEqual(before);
});
