/**
 * A journal that knows less than it did, with nothing in it that says so: put back by hand, without its end, or gone. Real
 * files, and real deaths.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { backupJournal, restoreJournal } from '../../src/journal/backup.ts';
import { journalDoubt, readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { rewoundBecause, testimonyOf, witnessText } from '../../src/journal/files/witness.ts';
import { replayRows } from '../../src/spine/replay.ts';
import type { JournalEntry, JournalStore } from '../../src/model/entries/journal.ts';
import { denials, makeRig, tempDir } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return join(dir, 'session');
}

const note = (text: string): JournalEntry => ({ kind: 'note', strategy: 's', text });

function write(journal: JournalStore, from: number, to: number): void {
  for (let row = from; row <= to; row++) journal.append(row, [note(`row ${row}`)]);
}

/** A journal of so many rows that ended in order. */
function journalOf(rows: number): string {
  const dir = place();
  const journal = openJournal(dir);
  write(journal, 1, rows);
  journal.close();
  return dir;
}

/** A process that writes 20 rows, is idle for a moment, writes 5 more and is killed. */
function killed(dir: string): void {
  const script = `
    import { openJournal } from ${JSON.stringify(new URL('../../src/journal/sqlite-store.ts', import.meta.url).href)};
    const journal = openJournal(process.argv[1]);
    const write = (count) => { for (let row = 0; row < count; row++) journal.append(row, [{ kind: 'note', strategy: 's', text: String(row) }]); };
    write(20);
    journal.idle();
    write(5);
    process.kill(process.pid, 'SIGKILL');`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, dir]).signal).toBe('SIGKILL');
}

const entries = (dir: string): readonly JournalEntry[] => [...readJournal(dir)].map(({ entry }) => entry);
const losses = (dir: string): readonly JournalEntry[] => entries(dir).filter(({ kind }) => kind === 'restored');
const witness = (dir: string): string => join(dir, 'journal.witness');
const isAmnesiac = (dir: string): boolean => replayRows(readJournal(dir)).state.restored !== undefined;

describe('a journal that lost rows', () => {
  it('is known by its witness when a kill left its end in a log that somebody took away', () => {
    const dir = place();
    killed(dir);
    for (const suffix of ['-wal', '-shm']) rmSync(join(dir, `journal.db${suffix}`));
    expect(journalDoubt(dir)).toMatchObject({ kind: 'rewound', brokenAt: 1 });
    openJournal(dir).close();
    expect(losses(dir)).toEqual([
      {
        kind: 'restored',
        event: 'restored',
        reason: 'journal_rewound: the journal has no row, but 20 were written: at least 20 are lost',
      },
    ]);
    expect(journalDoubt(dir)).toBeNull();
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 1 });
  });

  it('is none where a kill left more than was told: the witness may be behind', () => {
    const dir = place();
    killed(dir);
    expect(testimonyOf(readFileSync(witness(dir), 'utf8'))).toMatchObject({ kind: 'row', tail: { seq: 20 } });
    const journal = openJournal(dir);
    expect(journal.lastSeq).toBe(25);
    journal.close();
    expect(losses(dir)).toEqual([]);
  });

  it('is known when an older one was put in its place, also after that went on', () => {
    const dir = journalOf(10);
    const older = join(place(), '..', 'older.db');
    copyFileSync(join(dir, 'journal.db'), older);
    const journal = openJournal(dir);
    write(journal, 11, 30);
    journal.close();
    copyFileSync(older, join(dir, 'journal.db'));
    expect(journalDoubt(dir)).toMatchObject({ kind: 'rewound', brokenAt: 11 });
    // On another machine it grew beyond what was told here.
    const away = place();
    mkdirSync(away);
    copyFileSync(older, join(away, 'journal.db'));
    const other = openJournal(away);
    other.append(11, [note('another life')]);
    write(other, 12, 40);
    other.close();
    copyFileSync(join(away, 'journal.db'), join(dir, 'journal.db'));
    expect(journalDoubt(dir)).toMatchObject({ kind: 'rewound', brokenAt: 30 });
    openJournal(dir).close();
    expect(losses(dir)).toMatchObject([
      { reason: expect.stringContaining('row 30 of the journal differs from its witness') },
    ]);
  });

  it.each([
    ['of another journal', false],
    ['of an older state of it', true],
  ])('is refused beside a log %s (P03)', (_, isOwn) => {
    const dir = place();
    killed(dir);
    const log = readFileSync(join(dir, 'journal.db-wal'));
    if (isOwn) {
      const journal = openJournal(dir);
      write(journal, 100, 160);
      journal.close();
      expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 86 });
    }
    const at = isOwn ? dir : journalOf(40);
    writeFileSync(join(at, 'journal.db-wal'), log);
    rmSync(join(at, 'journal.db-shm'), { force: true });
    expect(() => openJournal(at)).toThrow(expect.objectContaining({ code: 'journal_corrupt', exit: 5 }));
  });

  it('is known when it is gone, and whoever only reads says so instead of that there is none', () => {
    const dir = journalOf(10);
    rmSync(join(dir, 'journal.db'));
    const rewound = expect.objectContaining({ code: 'journal_rewound', exit: 5 });
    expect(() => verifyJournal(dir)).toThrow(rewound);
    expect(() => [...readJournal(dir)]).toThrow(rewound);
    expect(journalDoubt(dir)).toMatchObject({ kind: 'rewound', brokenAt: 1 });
    // A death at its creation leaves a file without a row.
    writeFileSync(join(dir, 'journal.db'), '');
    expect(() => [...readJournal(dir)]).toThrow(rewound);
    expect(journalDoubt(dir)).toMatchObject({ kind: 'rewound', brokenAt: 1 });
    openJournal(dir).close();
    expect(isAmnesiac(dir)).toBe(true);
  });

  it('takes no new risk until a human has acknowledged it, and is not doubted again', () => {
    const dir = journalOf(10);
    rmSync(join(dir, 'journal.db'));
    const place = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000' } as const;
    const open = (bootId: string) => {
      const journal = openJournal(dir);
      const rig = makeRig({ journal, bootId });
      rig.executor.submit('maker', { ...place, quantity: '0.01' });
      const reasons = denials(rig);
      rig.executor.close();
      journal.close();
      return reasons;
    };
    expect(open('a')).toEqual(['restored']);
    expect(open('b')).toEqual(['restored']);
    expect(losses(dir)).toHaveLength(1);
    const journal = openJournal(dir);
    journal.append(1e13, [{ kind: 'restored', event: 'acknowledged', reason: 'compared' }]);
    journal.close();
    expect(isAmnesiac(dir)).toBe(false);
    openJournal(dir).close();
    expect(isAmnesiac(dir)).toBe(false);
  });

  it('is told again after a death between the row and the witness, never not at all', () => {
    const dir = journalOf(10);
    const told = readFileSync(witness(dir));
    rmSync(join(dir, 'journal.db'));
    openJournal(dir).close();
    writeFileSync(witness(dir), told);
    openJournal(dir).close();
    expect(losses(dir)).toHaveLength(2);
  });

  it('is not known when the whole folder is an older copy: its witness is as old', () => {
    const dir = journalOf(10);
    const copy = join(place(), '..', 'copy');
    cpSync(dir, copy, { recursive: true });
    const journal = openJournal(dir);
    write(journal, 11, 30);
    journal.close();
    rmSync(dir, { recursive: true });
    cpSync(copy, dir, { recursive: true });
    expect(journalDoubt(dir)).toBeNull();
    openJournal(dir).close();
    expect(losses(dir)).toEqual([]);
  });

  it('is a backup first: a restore beside a witness of more says so once', async () => {
    const dir = journalOf(10);
    const backup = join(place(), '..', 'backup.db');
    await backupJournal(dir, backup);
    const journal = openJournal(dir);
    write(journal, 11, 30);
    journal.close();
    rmSync(join(dir, 'journal.db'));
    await restoreJournal(backup, dir);
    expect(losses(dir)).toMatchObject([{ reason: expect.stringContaining('restored from a backup') }]);
    expect(journalDoubt(dir)).toBeNull();
  });
});

describe('the witness', () => {
  it('is written in idle moments and at the end, in one piece, for its owner alone', () => {
    const dir = place();
    const journal = openJournal(dir);
    const before = readFileSync(witness(dir), 'utf8');
    write(journal, 1, 3);
    expect(readFileSync(witness(dir), 'utf8')).toBe(before);
    const { ino } = statSync(witness(dir));
    journal.idle();
    const idle = readFileSync(witness(dir), 'utf8');
    expect(testimonyOf(idle)).toMatchObject({ kind: 'row', tail: { seq: 3 } });
    expect(idle).toHaveLength(before.length);
    // Written over, not replaced: no name changes while it trades.
    expect(statSync(witness(dir)).ino).toBe(ino);
    write(journal, 4, 5);
    journal.close();
    expect(testimonyOf(readFileSync(witness(dir), 'utf8'))).toMatchObject({ kind: 'row', tail: { seq: 5 } });
    expect(statSync(witness(dir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('that somebody takes away while it runs is put there again', () => {
    const dir = place();
    const journal = openJournal(dir);
    write(journal, 1, 3);
    rmSync(witness(dir));
    journal.idle();
    journal.idle();
    expect(testimonyOf(readFileSync(witness(dir), 'utf8'))).toMatchObject({ kind: 'row', tail: { seq: 3 } });
    journal.close();
  });

  it.each([
    ['torn', (text: string) => text.slice(0, 50)],
    ['empty', () => ''],
    ['changed', (text: string) => text.replace('0000000000000010', '0000000000000011')],
    ['something else', () => 'not a witness\n'],
  ])('that is %s fails no start, and is told in a row', (_, damage) => {
    const dir = journalOf(10);
    writeFileSync(witness(dir), damage(readFileSync(witness(dir), 'utf8')));
    expect(journalDoubt(dir)).toMatchObject({ kind: 'unreadable' });
    openJournal(dir).close();
    expect(entries(dir).at(-1)).toMatchObject({ kind: 'alarm', code: 'journal_witness' });
    expect(isAmnesiac(dir)).toBe(false);
    expect(journalDoubt(dir)).toBeNull();
  });

  it('that cannot be written leaves the journal at work, and is told at each start', () => {
    const dir = journalOf(10);
    rmSync(witness(dir));
    mkdirSync(witness(dir));
    for (const alarms of [1, 2]) {
      const journal = openJournal(dir);
      journal.append(99, [note('goes on')]);
      journal.idle();
      journal.close();
      expect(entries(dir).filter(({ kind }) => kind === 'alarm')).toHaveLength(alarms);
    }
    expect(journalDoubt(dir)).toMatchObject({ kind: 'unreadable' });
  });

  it('of a journal of before is none, and nothing is doubted', () => {
    const dir = journalOf(10);
    rmSync(witness(dir));
    expect(journalDoubt(dir)).toBeNull();
    openJournal(dir).close();
    expect(entries(dir)).toHaveLength(10);
    expect(existsSync(witness(dir))).toBe(true);
  });

  it('contradicts exactly what has fewer rows, or another one in the place of the last', () => {
    const seq = fc.integer({ min: 0, max: 1_000 });
    const hashOf = (life: string) => (row: number) => `${life}${row}`.padEnd(64, '0');
    fc.assert(
      fc.property(seq, seq, fc.constantFrom('a', 'b'), (told, rows, life) => {
        const testimony = testimonyOf(witnessText({ seq: told, hash: hashOf('a')(told) }));
        expect(testimony).toEqual({ kind: 'row', tail: { seq: told, hash: hashOf('a')(told) } });
        const isSame = told === 0 || (rows >= told && life === 'a');
        expect(rewoundBecause(testimony, rows, hashOf(life)) === null).toBe(isSame);
      }),
    );
  });
});
