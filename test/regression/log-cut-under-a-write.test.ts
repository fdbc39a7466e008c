/**
 * A write-ahead log that was cut in the instant between a look at its size and the write after it was as long as before,
 * with a hole at its start: the session went on trading on rows that nobody can read again.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';

const row: JournalEntry = { kind: 'alarm', code: 'any', message: 'm'.repeat(3_000) };

it.each([0, 100, 10_000])('journal/log/cut-to-%i-and-written-behind', (kept) => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-cut-'));
  try {
    const log = join(folder, `${JOURNAL_FILE}-wal`);
    const journal = openJournal(folder);
    for (let ts = 1; ts <= 20; ts += 1) journal.append(ts, [row]);
    const { size } = statSync(log);
    truncateSync(log, kept);
    truncateSync(log, size);
    expect(() => journal.append(21, [row])).toThrow(/written again behind the cut/);
    expect(journal.failing?.code).toBe('journal_gone');
    journal.close();
    // What the next process finds: the memory that this one shares with SQLite is not of the disk.
    const later = join(folder, 'later');
    mkdirSync(later);
    for (const name of [JOURNAL_FILE, `${JOURNAL_FILE}-wal`]) copyFileSync(join(folder, name), join(later, name));
    expect(verifyJournal(later).brokenAt).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
