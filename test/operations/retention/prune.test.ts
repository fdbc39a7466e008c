/** Retention on real folders: real journals and recordings, aged by their dates. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { acquireLock } from '../../../src/journal/files/lock.ts';
import { parseKeep } from '../../../src/model/keep.ts';
import { expired, type Stored } from '../../../src/operations/retention/choose.ts';
import { prune, type Pruned } from '../../../src/operations/retention/prune.ts';
import { createSession, writeSession, type SessionRecord } from '../../../src/session/store/store.ts';
import { makeRig, tempDir } from '../../execution/rig.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const DAY = 86_400_000;

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((work) => work()));

interface Place {
  readonly sessions: string;
  readonly recordings: string;
}

function place(): Place {
  const { dir, remove } = tempDir();
  undo.push(remove);
  return { sessions: join(dir, 'sessions'), recordings: join(dir, 'recordings') };
}

function recordingAt(path: string, ageDays: number, bytes = 1000): void {
  mkdirSync(path, { recursive: true });
  for (const [name, text] of [
    ['recording.json', '{}'],
    ['frames-000001.twf', 'x'.repeat(bytes)],
  ] as const) {
    writeFileSync(join(path, name), text);
    const at = (NOW - ageDays * DAY) / 1000;
    utimesSync(join(path, name), at, at);
  }
}

let count = 0;

/** Ended in good order so many days ago, with a recording of the same age. `trade`: what stands in its journal. */
function session(
  { sessions }: Place,
  ageDays: number,
  change: Partial<SessionRecord> = {},
  trade: (rig: ReturnType<typeof makeRig>) => void = () => undefined,
): string {
  const endedAt = NOW - ageDays * DAY;
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const of = { mode: 'live', strategies, seed: 1, account: 'alice', exchange: 'x' } as const;
  const { path, record } = createSession(sessions, { ...of, now: endedAt - 1000, suffix: `${++count}` });
  const journal = openJournal(path, { durability: 'normal', now: endedAt, reserveBytes: 0 });
  const rig = makeRig({ journal });
  trade(rig);
  rig.executor.close();
  journal.close();
  writeSession(path, { ...record, clean: true, endedAt, ...change });
  recordingAt(join(path, 'recording'), ageDays);
  return path;
}

function run({ sessions, recordings }: Place, journals: string | null, keep: string | null, dryRun = false): Pruned {
  return prune({
    sessionsDir: sessions,
    recordingsDir: recordings,
    journals: journals === null ? null : parseKeep(journals),
    recordings: keep === null ? null : parseKeep(keep),
    dryRun,
    now: NOW,
  });
}

describe('keep', () => {
  it.each([
    ['90d', { kind: 'age', ms: 90 * DAY }],
    ['12h', { kind: 'age', ms: DAY / 2 }],
    ['20GB', { kind: 'size', bytes: 20e9 }],
    ['1.5 MB', { kind: 'size', bytes: 1.5e6 }],
    ['0d', null],
    ['20', null],
    ['-5GB', null],
  ] as const)('%s is read', (text, keep) => {
    expect(parseKeep(text)).toEqual(keep);
  });

  it('by size lets the oldest go until the rest fits, and never what is needed', () => {
    const stored = fc.record({
      kind: fc.constant('session' as const),
      path: fc.uuid(),
      bytes: fc.integer({ min: 1, max: 100 }),
      at: fc.integer({ min: 0, max: NOW }),
      needed: fc.option(fc.constant('it runs'), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(stored), fc.integer({ min: 1, max: 1000 }), (all: readonly Stored[], bytes) => {
        const gone = expired(all, { kind: 'size', bytes }, NOW);
        expect(gone.every(({ needed }) => needed === null)).toBe(true);
        const stays = all.filter((one) => !gone.includes(one));
        const total = stays.reduce((sum, one) => sum + one.bytes, 0);
        const free = stays.filter(({ needed }) => needed === null);
        expect(total <= bytes || free.length === 0).toBe(true);
        // One less would not have been enough.
        const last = gone.at(-1);
        if (last !== undefined) expect(total + last.bytes).toBeGreaterThan(bytes);
        const newestGone = Math.max(-1, ...gone.map(({ at }) => at));
        expect(free.every(({ at }) => at >= newestGone)).toBe(true);
      }),
    );
  });
});

describe('prune', () => {
  it('lets old sessions go with their recordings, and says before what it will free', () => {
    const at = place();
    const [old, older, newest] = [session(at, 100), session(at, 200), session(at, 1)];
    const said = run(at, '90d', null, true);
    expect(said.gone.map(({ path }) => path).toSorted()).toEqual(
      [old, join(old, 'recording'), older, join(older, 'recording')].toSorted(),
    );
    expect([old, older, newest].every((path) => existsSync(join(path, 'journal.db')))).toBe(true);
    const done = run(at, '90d', null);
    expect(done.freed).toBe(said.freed);
    expect(done.freed).toBeGreaterThan(2000);
    expect(readdirSync(at.sessions).map((name) => join(at.sessions, name))).toEqual([newest]);
    expect(run(at, '90d', null).gone).toEqual([]);
  });

  it('keeps every session that something needs, and says why', () => {
    const at = place();
    session(at, 1);
    const limit = {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '59000',
      quantity: '0.01',
    } as const;
    const rows: readonly (readonly [string, string])[] = [
      [session(at, 100, { clean: false, endedAt: null }), 'continues it'],
      [session(at, 101, { left: true }), 'continues it'],
      [session(at, 102, { latched: true }), 'continues it'],
      [session(at, 103, {}, (rig) => rig.executor.submit('maker', limit)), 'unresolved'],
      [
        session(at, 104, {}, (rig) => {
          rig.venue.createMode = 'never-arrives';
          rig.executor.submit('maker', limit);
        }),
        'unresolved',
      ],
      [session(at, 105, {}, (rig) => rig.executor.kill('enough')), 'kill switch'],
      [session(at, 106, { account: 'bob' }), 'newest'],
    ];
    const broken = session(at, 107);
    writeFileSync(join(broken, 'session.json'), '{');
    const damaged = session(at, 108);
    writeFileSync(join(damaged, 'journal.db'), 'nothing');
    const free = session(at, 109);
    const done = run(at, '90d', '1h');
    expect(done.gone.map(({ path }) => path).toSorted()).toEqual([free, join(free, 'recording')].toSorted());
    for (const [path, why] of [...rows, [damaged, 'cannot be read'] as const]) {
      expect(existsSync(join(path, 'recording', 'recording.json')), path).toBe(true);
      expect(done.kept.find((stored) => stored.path === path)?.needed, path).toContain(why);
    }
    expect(existsSync(broken)).toBe(true);
  });

  it('keeps one that runs, whatever its record says of its last end', () => {
    const at = place();
    session(at, 1);
    const path = session(at, 100, { clean: false, endedAt: null });
    const lock = acquireLock(path, 0);
    undo.push(() => lock.release());
    expect(run(at, '90d', '1h').kept.find((stored) => stored.path === path)?.needed).toBe('it runs');
  });

  it('lets recordings go by their own rule and leaves the journals', () => {
    const at = place();
    const [old, newest] = [session(at, 40), session(at, 1)];
    recordingAt(join(at.recordings, 'btc', 'may'), 35);
    recordingAt(join(at.recordings, 'eth'), 0);
    const outside = place();
    recordingAt(join(outside.recordings, 'mine'), 300);
    symlinkSync(outside.recordings, join(at.recordings, 'link'));
    const done = run(at, null, '30d');
    expect(done.gone.map(({ path }) => path).toSorted()).toEqual(
      [join(old, 'recording'), join(at.recordings, 'btc', 'may')].toSorted(),
    );
    expect(existsSync(join(old, 'journal.db'))).toBe(true);
    expect(existsSync(join(newest, 'recording'))).toBe(true);
    expect(existsSync(join(at.recordings, 'eth'))).toBe(true);
    expect(existsSync(join(outside.recordings, 'mine', 'recording.json'))).toBe(true);
  });

  it('goes on with a deletion that was interrupted', () => {
    const at = place();
    session(at, 1);
    mkdirSync(join(at.sessions, '.pruned-live-old', 'recording'), { recursive: true });
    expect(run(at, '90d', null, true).gone).toEqual([]);
    expect(existsSync(join(at.sessions, '.pruned-live-old'))).toBe(true);
    run(at, '90d', null);
    expect(existsSync(join(at.sessions, '.pruned-live-old'))).toBe(false);
  });

  it('without a rule deletes nothing', () => {
    const at = place();
    session(at, 1);
    session(at, 1000);
    recordingAt(join(at.recordings, 'old'), 1000);
    expect(run(at, null, null)).toEqual({ gone: [], freed: 0, kept: [] });
  });
});
