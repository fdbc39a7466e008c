/** The archive of a journal: rows are read whole wherever they lie, at every moment of being moved, and nothing comes twice. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { makeSegment } from '../../src/journal/archive/make-segment.ts';
import { archiveFolder, segmentPath } from '../../src/journal/archive/segment-files.ts';
import { backupJournal, restoreJournal } from '../../src/journal/backup.ts';
import { journalDoubt, readJournal, readLandmarks, verifyJournal } from '../../src/journal/verify.ts';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import type { Segment } from '../../src/model/entries/archive-segment.ts';
import type { JournalEntry, JournalRow, JournalStore } from '../../src/model/entries/journal.ts';
import { archiveRows } from '../../src/session/upkeep/snapshot-watch.ts';
import { resumed } from '../../src/journal/resume.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { snapshotOf } from '../../src/spine/snapshot/snapshot.ts';
import { HandClock, makeRig, tempDir, TestVenue } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return join(dir, 'session');
}

const order = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.001' } as const;

interface Life {
  readonly dir: string;
  readonly path: string;
  readonly journal: JournalStore;
  readonly clock: HandClock;
  readonly venue: TestVenue;
  /** Of the state, and all rows, before anything was archived. */
  readonly hash: string;
  readonly rows: readonly JournalRow[];
}

/** Some 700 rows, with a snapshot after every third part. */
function life(): Life {
  const dir = place();
  const clock = new HandClock();
  const venue = new TestVenue(clock);
  const journal = openJournal(dir);
  const rig = makeRig({ journal, clock, venue, risk: { messagesPerSecond: 100_000 } });
  for (let part = 0; part < 3; part++) {
    for (let count = 0; count < 30; count++) {
      clock.advance(1_000);
      rig.executor.submit('maker', { ...order, price: '59000' });
      const [resting] = venue.resting();
      if (resting?.orderId !== undefined && count % 3 === 0) venue.tellFill(resting.orderId, '0.001');
      rig.executor.submit('maker', { kind: 'cancelAll' });
      rig.executor.submit('maker', { kind: 'note', text: `note ${count} \t with a tab` });
    }
    rig.executor.record(snapshotOf(resumed(journal)));
  }
  rig.executor.submit('maker', { ...order, price: '58900' });
  return {
    dir,
    path: join(dir, JOURNAL_FILE),
    journal,
    clock,
    venue,
    hash: stateHash(rig.executor.state),
    rows: [...journal.read()],
  };
}

/** All that may be archived, in segments of so many rows. */
function archive({ dir, journal }: Pick<Life, 'dir' | 'journal'>, rowsMax = 90): readonly Segment[] {
  const segments: Segment[] = [];
  for (let segment = makeSegment(dir, rowsMax); segment !== null; segment = makeSegment(dir, rowsMax)) {
    journal.archive?.note(segment);
    segments.push(segment);
  }
  return segments;
}

function rest(journal: JournalStore): void {
  for (let moment = 0; moment < 50; moment++) journal.idle();
}

function rowsLeft(path: string): number {
  const db = new Database(path, { readonly: true });
  const count = db.prepare<[], number>('SELECT count(*) FROM journal').pluck().get() ?? 0;
  db.close();
  return count;
}

describe('an archived journal', () => {
  it('reads as before from any row, verifies, and has its rows in files of its owner', () => {
    const whole = life();
    const { dir, path, journal, rows, hash } = whole;
    expect(journal.archive?.isDue).toBe(true);
    const segments = archive(whole);
    expect(segments.length).toBeGreaterThan(3);
    expect(journal.archive?.isDue).toBe(false);
    expect([...journal.read()]).toEqual(rows);
    rest(journal);
    const last = segments.at(-1)?.last ?? 0;
    expect(rowsLeft(path)).toBeLessThan(rows.length - last + 10);
    for (const from of [1, 2, 90, 91, last - 1, last, last + 1, rows.length])
      expect([...journal.read(from)]).toEqual(rows.slice(from - 1));
    expect([...readJournal(dir)]).toEqual(rows);
    expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: rows.length, stateHash: hash });
    expect(readLandmarks(dir, 'session')).toEqual(rows.filter(({ entry }) => entry.kind === 'session'));
    for (const name of readdirSync(archiveFolder(path)))
      expect(statSync(join(archiveFolder(path), name)).mode & 0o777).toBe(0o600);
    expect(statSync(archiveFolder(path)).mode & 0o777).toBe(0o700);
    journal.close();
  });

  it('goes on after restarts, and archives what comes then', async () => {
    const whole = life();
    const { dir, journal, clock, venue, hash } = whole;
    archive(whole);
    rest(journal);
    journal.close();
    const again = openJournal(dir);
    const second = makeRig({ journal: again, clock, venue, bootId: 'b2' });
    expect(stateHash(second.executor.state)).toBe(hash);
    second.executor.submit('maker', { ...order, price: '58800' });
    second.executor.record(snapshotOf(resumed(again)));
    const segment = await archiveRows(join(dir, JOURNAL_FILE));
    expect(segment).not.toBeNull();
    if (segment !== null) again.archive?.note(segment);
    rest(again);
    const rows = [...again.read()];
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(stateHash(replayRows(rows).state)).toBe(stateHash(second.executor.state));
    again.close();
    expect(verifyJournal(dir).ok).toBe(true);
    expect(journalDoubt(dir)).toBeNull();
  });

  it('refuses an intent, a SENDING and a trade that stand in the archive', () => {
    const whole = life();
    const { journal, rows } = whole;
    const segments = archive(whole);
    const last = segments.at(-1)?.last ?? 0;
    const kinds: readonly JournalEntry['kind'][] = ['intent', 'sending', 'fill'];
    const doubled = kinds.map((kind) => rows.find(({ entry, seq }) => entry.kind === kind && seq <= last)?.entry);
    for (let moment = 0; moment < 20; moment++) {
      for (const entry of doubled) {
        expect(entry).toBeDefined();
        if (entry !== undefined)
          expect(() => journal.append(9e12, [entry])).toThrow(expect.objectContaining({ code: 'journal_failed' }));
      }
      journal.idle();
    }
    expect([...journal.read()]).toEqual(rows);
    journal.close();
  });

  it('starts and trades without its segments; verify and whoever reads all name the file', () => {
    const whole = life();
    const { dir, path, journal, clock, venue, hash } = whole;
    const [, second] = archive(whole);
    rest(journal);
    journal.close();
    const file = second === undefined ? '' : segmentPath(path, second);
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 20] = (changed[bytes.length - 20] ?? 0) ^ 1;
    for (const damage of [
      () => rmSync(file),
      () => truncateSync(file, bytes.length - 10),
      () => writeFileSync(file, changed),
      () => cpSync(segmentPath(path, archiveOf(path)[0]!), file),
    ]) {
      damage();
      const report = verifyJournal(dir);
      expect(report.ok).toBe(false);
      expect(report.problem).toContain(file);
      expect(() => [...readJournal(dir)]).toThrow(expect.objectContaining({ code: 'journal_archive' }));
      writeFileSync(file, bytes);
      expect(verifyJournal(dir).ok).toBe(true);
    }
    renameSync(archiveFolder(path), join(dir, 'elsewhere'));
    const again = openJournal(dir);
    const rig = makeRig({ journal: again, clock, venue, bootId: 'b2' });
    expect(stateHash(rig.executor.state)).toBe(hash);
    rig.executor.submit('maker', { ...order, price: '58800' });
    expect(rig.executor.account('maker').openOrders()).toHaveLength(2);
    again.close();
  });

  it('is copied whole by backup and restore, and nothing is written over', async () => {
    const whole = life();
    const { dir, path, journal, rows } = whole;
    archive(whole);
    rest(journal);
    const copy = join(dir, '..', 'copy.db');
    await backupJournal(dir, copy);
    journal.close();
    rmSync(archiveFolder(path), { recursive: true });
    const alone = join(place(), '..', 'alone.db');
    renameSync(copy, alone);
    expect(existsSync(archiveFolder(alone))).toBe(false);
    expect([...readJournal(alone)]).toEqual(rows);
    const restored = join(dir, '..', 'restored');
    await restoreJournal(alone, restored);
    const again = openJournal(restored);
    rest(again);
    again.close();
    expect(verifyJournal(restored).ok).toBe(true);
    expect(readdirSync(archiveFolder(join(restored, JOURNAL_FILE))).length).toBeGreaterThan(3);
    expect([...readJournal(restored)].slice(0, rows.length)).toEqual(rows);
    expect(readdirSync(join(dir, '..')).filter((name) => name.includes('partial'))).toEqual([]);
    await expect(backupJournal(restored, alone)).rejects.toMatchObject({ code: 'journal_exists' });
    // One of a journal whose archive is gone is no whole copy.
    await expect(backupJournal(dir, copy)).rejects.toMatchObject({ code: 'journal_archive' });
    expect(existsSync(copy)).toBe(false);
  });
});

function archiveOf(path: string): readonly Segment[] {
  const db = new Database(path, { readonly: true });
  const segments = db.prepare<[], Segment>('SELECT first, last, before, hash FROM archive ORDER BY first').all();
  db.close();
  return segments;
}

describe('a death while rows are archived', () => {
  /** What lies on the disk now is what a process that dies here leaves. */
  function left(dir: string): string {
    const copy = place();
    cpSync(dir, copy, { recursive: true });
    for (const name of readdirSync(copy)) if (/lock|pid/.test(name)) rmSync(join(copy, name), { recursive: true });
    return copy;
  }

  it('at any point leaves every row once, and the next process goes on', () => {
    const whole = life();
    const { dir, path, journal, rows, hash } = whole;
    const copies: [string, string][] = [['before', left(dir)]];
    mkdirSync(archiveFolder(path), { mode: 0o700 });
    writeFileSync(`${archiveFolder(path)}/000000001-000000090.zst.partial`, 'half of a file');
    copies.push(['half of a segment', left(dir)]);
    rmSync(archiveFolder(path), { recursive: true });
    const segment = makeSegment(dir, 400);
    copies.push(['the segment is there, and not noted', left(dir)]);
    if (segment === null) throw new Error('nothing to archive');
    const torn = left(dir);
    truncateSync(segmentPath(join(torn, JOURNAL_FILE), segment), 100);
    copies.push(['the segment is torn, and not noted', torn]);
    journal.archive?.note(segment);
    copies.push(['noted', left(dir)]);
    journal.idle();
    expect(rowsLeft(path)).toBeGreaterThan(rows.length - segment.last);
    copies.push(['some rows are out', left(dir)]);
    rest(journal);
    copies.push(['all rows are out', left(dir)]);
    journal.close();
    for (const [point, copy] of copies) {
      expect([...readJournal(copy)], point).toEqual(rows);
      const again = openJournal(copy);
      expect([...again.read()], point).toEqual(rows);
      expect(stateHash(resumed(again).state), point).toBe(hash);
      archive({ dir: copy, journal: again }, 400);
      rest(again);
      expect([...again.read()], point).toEqual(rows);
      again.append(9e12, [{ kind: 'note', strategy: 's', text: 'on' }]);
      again.close();
      expect(verifyJournal(copy), point).toMatchObject({ ok: true, rows: rows.length + 1 });
      expect(rowsLeft(join(copy, JOURNAL_FILE)), point).toBeLessThan(rows.length / 2);
    }
  }, 60_000);

  it('or a disk that takes no segment loses nothing; it is archived when there is room', () => {
    const whole = life();
    const { dir, path, journal, rows } = whole;
    writeFileSync(archiveFolder(path), 'in the way');
    expect(() => makeSegment(dir)).toThrow();
    rest(journal);
    expect([...journal.read()]).toEqual(rows);
    rmSync(archiveFolder(path));
    archive(whole);
    rest(journal);
    expect([...journal.read()]).toEqual(rows);
    expect(existsSync(archiveFolder(path))).toBe(true);
    expect(() => journal.archive?.note({ first: 1, last: 5, before: '', hash: '' })).toThrow(RangeError);
    journal.close();
    expect(verifyJournal(dir).ok).toBe(true);
  });

  it('or a journal that is full while rows are taken out keeps them in both places', () => {
    const whole = life();
    const { dir, path } = whole;
    const segment = makeSegment(dir, 400);
    if (segment !== null) whole.journal.archive?.note(segment);
    whole.journal.close();
    const again = openJournal(dir, { maxBytes: statSync(path).size });
    rest(again);
    expect([...again.read()]).toEqual(whole.rows);
    again.close();
    const roomy = openJournal(dir);
    rest(roomy);
    expect([...roomy.read()]).toEqual(whole.rows);
    roomy.close();
    expect(verifyJournal(dir).ok).toBe(true);
  });
});
