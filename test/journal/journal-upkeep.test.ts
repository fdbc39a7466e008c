/** What keeps a journal writable and whole over weeks: the reserve for a full disk, and the weekly check of everything. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { denials, makeRig, tempDir } from '../execution/rig.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 5);
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return join(dir, 'session');
}

const note: JournalEntry = { kind: 'note', strategy: 's', text: 'x'.repeat(2_000) };
const order = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

describe('the reserve', () => {
  it('is real space beside the journal while it is open, and none when it was closed', () => {
    const dir = place();
    const reserveBytes = 3 * 1024 * 1024;
    const file = join(dir, 'reserve');
    const journal = openJournal(dir, { reserveBytes });
    const { size, blocks } = statSync(file);
    expect(size).toBe(reserveBytes);
    expect(blocks * 512).toBeGreaterThanOrEqual(reserveBytes);
    journal.close();
    expect(existsSync(file)).toBe(false);
    // One that a kill has left is held again as it is.
    writeFileSync(file, Buffer.alloc(reserveBytes, 1));
    const again = openJournal(dir, { reserveBytes });
    expect(readFileSync(file)[0]).toBe(1);
    again.close();
  });

  it('of a full disk lets the kill row and the cancels be written, while nothing new leaves', () => {
    const dir = place();
    const journal = openJournal(dir, { maxBytes: 128 * 1024, reserveBytes: 1024 * 1024 });
    const rig = makeRig({ journal });
    rig.executor.submit('maker', order);
    expect(rig.venue.resting()).toHaveLength(1);
    for (let row = 0; !rig.executor.journalFailure && row < 1_000; row++)
      rig.executor.submit('maker', { kind: 'note', text: 'x'.repeat(2_000) });
    expect(rig.executor.journalFailure?.code).toBe('journal_full');
    expect(existsSync(join(dir, 'reserve'))).toBe(false);
    rig.executor.submit('maker', order);
    expect(denials(rig)).toEqual(['journal_failed']);
    expect(rig.venue.creates()).toHaveLength(1);
    rig.executor.kill('the disk is full');
    expect(rig.venue.resting()).toEqual([]);
    const kinds = [...journal.read()].map(({ entry }) =>
      entry.kind === 'intent' ? `${entry.command} intent` : entry.kind,
    );
    journal.close();
    expect(kinds.slice(kinds.indexOf('kill'))).toEqual(expect.arrayContaining(['kill', 'cancel intent', 'sending']));
    expect(verifyJournal(dir)).toMatchObject({ ok: true });
  });

  it('is given back once: a disk that fills again is full', () => {
    const journal = openJournal(place(), { maxBytes: 64 * 1024, reserveBytes: 64 * 1024 });
    let code: string | undefined;
    for (let row = 0; code === undefined; row++)
      try {
        journal.append(row, [note]);
      } catch (thrown) {
        ({ code } = thrown as { code: string });
      }
    expect(code).toBe('journal_full');
    expect(journal.failing?.code).toBe('journal_full');
    journal.close();
  });
});

describe('the weekly check', () => {
  function checksAt(dir: string, now: number): number {
    const journal = openJournal(dir, { now });
    const found = [...journal.read()].filter(
      ({ entry }) => entry.kind === 'record' && entry.name === 'integrity-check',
    ).length;
    journal.close();
    return found;
  }

  it('of everything is made at the first start after a week, and says so in a row', () => {
    const dir = place();
    expect(checksAt(dir, NOW)).toBe(0);
    const journal = openJournal(dir, { now: NOW });
    journal.append(NOW, [note]);
    journal.close();
    expect(checksAt(dir, NOW + 6 * DAY_MS)).toBe(0);
    expect(checksAt(dir, NOW + 8 * DAY_MS)).toBe(1);
    expect(checksAt(dir, NOW + 9 * DAY_MS)).toBe(1);
    expect(checksAt(dir, NOW + 16 * DAY_MS)).toBe(2);
    expect(verifyJournal(dir)).toMatchObject({ ok: true });
  });

  it('finds what the check of every start does not: an index that lost an entry', () => {
    const dir = place();
    const journal = openJournal(dir, { now: NOW });
    journal.append(NOW, [{ kind: 'sending', intentId: 'i1' }]);
    journal.close();
    loseIndexEntry(join(dir, 'journal.db'));
    openJournal(dir, { now: NOW + DAY_MS }).close();
    expect(() => openJournal(dir, { now: NOW + 8 * DAY_MS })).toThrow(
      expect.objectContaining({ code: 'journal_corrupt', exit: 5 }),
    );
  });
});

/** As a damaged page would: the row stays in its table and is missing from the unique index. */
function loseIndexEntry(path: string): void {
  const db = new Database(path);
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  const sql = "SELECT sql FROM sqlite_schema WHERE name = 'journal_once'";
  const whole = String(db.prepare(sql).pluck().get());
  const never = whole.replace('once IS NOT NULL', "once IS NOT NULL AND once = ''");
  const write = db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'journal_once'");
  write.run(never);
  db.close();
  const other = new Database(path);
  other.exec('REINDEX journal_once');
  other.unsafeMode(true);
  other.pragma('writable_schema = ON');
  other.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'journal_once'").run(whole);
  other.close();
}
