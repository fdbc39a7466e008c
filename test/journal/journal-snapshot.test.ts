/** Snapshots in a real journal: a start and `status` read from the newest, `verify` holds each against its rows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { linkHash } from '../../src/journal/chain.ts';
import { backupJournal, restoreJournal } from '../../src/journal/backup.ts';
import { replayJournal, resumed } from '../../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry, JournalStore } from '../../src/model/entries/journal.ts';
import type { SnapshotEntry } from '../../src/model/entries/snapshot-entry.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { snapshotOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { makeSnapshot, watchSnapshots } from '../../src/session/upkeep/snapshot-watch.ts';
import { HandClock, makeRig, tempDir, TestVenue, type Rig } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  return dir;
}

const about = (dir: string) => ({ file: join(dir, JOURNAL_FILE), specs: [], reporting: 'USDT' });

const order = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

interface Life {
  readonly dir: string;
  readonly clock: HandClock;
  readonly venue: TestVenue;
  readonly journal: JournalStore;
  readonly rig: Rig;
}

/** A fill, an order that rests, a value. */
function life(): Life {
  const dir = place();
  const clock = new HandClock();
  const venue = new TestVenue(clock);
  const journal = openJournal(dir);
  const rig = makeRig({ journal, clock, venue });
  rig.executor.submit('maker', [order, { ...order, price: '58000' }]);
  venue.tellFill('v1', '0.004');
  rig.executor.stateStore('maker').set('maker/x', '1');
  return { dir, clock, venue, journal, rig };
}

/** Changes the snapshot as somebody who mends the chain behind it. */
function forge(dir: string, change: (entry: SnapshotEntry) => SnapshotEntry): void {
  const db = new Database(join(dir, JOURNAL_FILE));
  type Row = { seq: number; ts: number; body: string; hash: string };
  const rows = db.prepare<[], Row>('SELECT seq, ts, body, hash FROM journal ORDER BY seq').all();
  const put = db.prepare('UPDATE journal SET body = ?, hash = ? WHERE seq = ?');
  let previous = '0'.repeat(64);
  for (const { seq, ts, body } of rows) {
    const entry = JSON.parse(body) as SnapshotEntry;
    const text = entry.kind === 'snapshot' ? JSON.stringify(change(entry)) : body;
    previous = linkHash(previous, seq, ts, text);
    put.run(text, previous, seq);
  }
  db.close();
}

describe('a journal with a snapshot', () => {
  it('starts from it: orders, positions, values and refs are as without it', () => {
    const { dir, clock, venue, journal, rig } = life();
    rig.executor.record(snapshotOf(replayRows(journal.read())));
    const covered = journal.lastSeq;
    venue.tellFill('v1', '0.001');
    rig.executor.submit('maker', { ...order, price: '58500' });
    const live = stateHash(rig.executor.state);
    journal.close();

    const again = openJournal(dir);
    const asked: (number | undefined)[] = [];
    const told: JournalStore = {
      append: (ts, entries) => again.append(ts, entries),
      read: (from) => (asked.push(from), again.read(from)),
      get lastSeq() {
        return again.lastSeq;
      },
      lastSnapshot: () => again.lastSnapshot?.(),
      idle: () => {},
      close: () => again.close(),
    };
    const second = makeRig({ journal: told, clock, venue, bootId: 'b2' });
    expect(asked).toEqual([covered]);
    expect(stateHash(second.executor.state)).toBe(live);
    expect(second.executor.account('maker').openOrders()).toHaveLength(3);
    expect(second.executor.stateStore('maker').get('x')).toBe('1');
    second.executor.submit('maker', { ...order, price: '58400' });
    expect(second.executor.account('maker').orderByRef('maker-4')?.state).toBe('open');
    again.close();
    expect(verifyJournal(dir)).toMatchObject({ ok: true, stateHash: stateHash(second.executor.state) });
    expect(snapshotText(replayJournal(dir))).toBe(snapshotText(replayRows(readJournal(dir))));
  });

  it('is made on a thread beside its writer, and counts fills and rows as a whole reading does', async () => {
    const { dir, journal, rig } = life();
    const [entry] = await makeSnapshot(about(dir));
    expect(entry).toEqual(JSON.parse(JSON.stringify(snapshotOf(replayRows(journal.read())))));
    rig.executor.submit('maker', { kind: 'note', text: 'between' });
    rig.executor.record(entry);
    const replay = replayJournal(dir);
    expect([replay.rows, replay.fills]).toEqual([journal.lastSeq, 1]);
    expect(verifyJournal(dir).ok).toBe(true);
    journal.close();
  });

  it('that is not what its rows lead to does not verify, and one that was changed is not started from', () => {
    for (const [change, problem] of [
      [
        (entry: SnapshotEntry) => ({ ...snapshotOf(replayRows([])), at: entry.at }),
        /is not the state of the rows up to/,
      ],
      [(entry: SnapshotEntry) => ({ ...entry, check: 'f'.repeat(64) }), /was changed/],
    ] as const) {
      const { dir, journal, rig } = life();
      rig.executor.record(snapshotOf(replayRows(journal.read())));
      journal.close();
      expect(verifyJournal(dir).ok).toBe(true);
      forge(dir, change);
      const report = verifyJournal(dir);
      expect(report.ok).toBe(false);
      expect(report.problem).toMatch(problem);
    }
    const { dir, journal, rig } = life();
    rig.executor.record(snapshotOf(replayRows(journal.read())));
    journal.close();
    forge(dir, (entry) => ({ ...entry, state: entry.state.slice(8) }));
    const again = openJournal(dir);
    expect(() => resumed(again)).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
    again.close();
  });

  it('of a version that is not known is read from its first row', () => {
    const { dir, journal, rig } = life();
    const hash = stateHash(rig.executor.state);
    rig.executor.record({ ...snapshotOf(replayRows(journal.read())), version: 99, state: 'of another build' });
    journal.close();
    expect(stateHash(replayJournal(dir).state)).toBe(hash);
    expect(verifyJournal(dir).ok).toBe(true);
  });

  it('keeps it in a backup and in what is restored from that', async () => {
    const { dir, journal, rig } = life();
    rig.executor.record(snapshotOf(replayRows(journal.read())));
    journal.close();
    const [copy, restored] = [join(place(), 'copy.db'), join(place(), 'restored')];
    await backupJournal(dir, copy);
    await restoreJournal(copy, restored);
    expect(verifyJournal(restored).ok).toBe(true);
    const again = openJournal(restored);
    expect(again.lastSnapshot?.()?.at).toBeGreaterThan(0);
    expect(snapshotText(resumed(again))).toBe(snapshotText(replayRows(again.read())));
    expect(resumed(again).state.restored).toBeDefined();
    again.close();
  });
});

describe('the watch of snapshots', () => {
  function watch(parts: Partial<Parameters<typeof watchSnapshots>[0]> = {}): {
    readonly clock: HandClock;
    readonly written: SnapshotEntry[];
    readonly failures: string[];
    readonly stop: () => void;
  } {
    const { dir, journal } = life();
    const [clock, written, failures] = [new HandClock(), [] as SnapshotEntry[], [] as string[]];
    const cancel = watchSnapshots({
      about: () => about(dir),
      journal,
      clock,
      rows: 5,
      write: (entry) => {
        if (entry.kind === 'snapshot') written.push(entry);
        journal.append(clock.now(), [entry]);
      },
      failed: (reason) => failures.push(reason),
      ...parts,
    });
    return { clock, written, failures, stop: () => (cancel(), journal.close()) };
  }

  it('writes one when the bound is passed, and no other before it is passed again', async () => {
    const { clock, written, stop } = watch();
    clock.advance(10_000);
    await expect.poll(() => written.length, { timeout: 20_000 }).toBe(1);
    clock.advance(30_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toHaveLength(1);
    stop();
  }, 30_000);

  it('archives what lies before the snapshot before the last', async () => {
    const { dir, journal, rig } = life();
    const clock = new HandClock();
    const rows = [...journal.read()];
    const write = (entry: JournalEntry): void => rig.executor.record(entry);
    const cancel = watchSnapshots({
      about: () => about(dir),
      journal,
      clock,
      rows: 5,
      write,
      failed: (reason) => expect(reason).toBe(''),
    });
    const next = async (isDone: () => boolean): Promise<void> => {
      clock.advance(10_000);
      await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
      // The thread is done with.
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await next(() => journal.lastSnapshot?.() !== undefined);
    const covered = journal.lastSnapshot?.()?.at ?? 0;
    for (let note = 0; note < 6; note++) rig.executor.submit('maker', { kind: 'note', text: 'x' });
    await next(() => journal.lastSnapshot?.()?.at !== covered);
    expect(journal.archive?.isDue).toBe(true);
    await next(() => journal.archive?.isDue === false);
    journal.idle();
    expect([...journal.read()].slice(0, rows.length)).toEqual(rows);
    expect(readdirSync(join(dir, 'journal-archive'))).toEqual([`000000001-${String(covered).padStart(9, '0')}.zst`]);
    cancel();
    journal.close();
    expect(verifyJournal(dir).ok).toBe(true);
  }, 60_000);

  it('writes none on a journal that fails, and says when none can be made', async () => {
    const failing = watch({ journal: { lastSeq: 99, failing: new Error('full') as never } });
    failing.clock.advance(20_000);
    const gone = watch({ about: () => about(place()) });
    gone.clock.advance(10_000);
    await expect.poll(() => gone.failures.length, { timeout: 20_000 }).toBe(1);
    expect([failing.written, gone.written]).toEqual([[], []]);
    failing.stop();
    gone.stop();
  }, 30_000);
});
