/**
 * Of which session the next live one takes over `state`, and what a strategy has used up: the newest of the account that had the
 * strategy, by its journal. Found from outside: after an orderly end the ref of a transfer moved money again, and the limit of
 * the day began anew.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { replayJournal } from '../../src/journal/resume.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import type { MoneyOutcomeEntry } from '../../src/model/entries/money-entries.ts';
import type { UsedBeforeEntry } from '../../src/model/entries/used-before.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { takeOverKept } from '../../src/session/store/kept.ts';
import { utcDay } from '../../src/model/time.ts';
import type { StateView } from '../../src/spine/trading-state.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import { openSessionJournal } from '../../src/session/start-up.ts';
import {
  createSession,
  listSessions,
  sessionFiles,
  writeSession,
  type SessionFolder,
} from '../../src/session/store/store.ts';
import { HandClock } from '../execution/rig.ts';

const NOON = Date.parse('2026-01-05T12:00:00Z');
const HOUR_MS = 3_600_000;
const { config } = loadConfig({ file: null, environment: {} });

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-states-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function session(suffix: string, startedAt: number, tags = ['maker'], account = 'ada'): SessionFolder {
  const strategies = tags.map((tag) => ({ name: tag, tag, file: `${tag}.ts`, params: {} }));
  return createSession(root, { mode: 'live', strategies, seed: 1, account, exchange: 'venue', now: startedAt, suffix });
}

function holds(folder: SessionFolder, entries: readonly JournalEntry[]): void {
  const { startedAt } = folder.record;
  const journal = openJournal(folder.path, { durability: 'normal', now: startedAt });
  journal.append(startedAt, entries);
  journal.close();
}

function keeps(folder: SessionFolder, values: Readonly<Record<string, string>>): void {
  holds(
    folder,
    Object.entries(values).map(([key, value]) => ({ kind: 'state', key, value })),
  );
}

/** Of 100 USDT each: one that happened, one that was refused. */
function transfers(happened: string, refused: string): readonly JournalEntry[] {
  const request = {
    kind: 'transfer',
    from: 'unified-trading',
    to: 'funding',
    currency: 'USDT',
    amount: '100',
  } as const;
  const rows = (intentId: string, ref: string, outcome: MoneyOutcomeEntry['outcome']): readonly JournalEntry[] => [
    { kind: 'money-intent', intentId, strategy: 'maker', ref, request, before: null },
    { kind: 'money-sending', intentId },
    { kind: 'money-outcome', intentId, outcome },
  ];
  return [
    ...rows('m-1', happened, { kind: 'accepted', value: { id: '7', status: null } }),
    ...rows('m-2', refused, { kind: 'refused', code: 'no', message: 'no' }),
  ];
}

const USED: UsedBeforeEntry = {
  kind: 'used-before',
  strategy: 'maker',
  transfers: { refs: ['old'], day: '2026-01-05', sums: { USDT: '50', BTC: '0.5' } },
  trades: { day: 20_458, entries: 3, closes: { BTCUSDT: { at: 5, lostAt: 4 } } },
};

/** The state that a new session begins with, and the warnings of its start. */
function begun(fresh: boolean): { state: StateView; warnings: readonly string[] } {
  const folder = session('new', NOON);
  const journal = openJournal(folder.path, { durability: 'normal', now: NOON });
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: unknown, text: string) => void warnings.push(text) };
  takeOverKept(journal, folder, NOON, { ranBefore: [], logger, fresh });
  journal.close();
  return { state: replayJournal(folder.path).state, warnings };
}

/** What a new session begins its journal with. */
function takenOver(tags?: string[]): Readonly<Record<string, string>> {
  const journal = createMemoryJournal();
  const folder = session('new', NOON, tags);
  takeOverKept(journal, folder, NOON, { ranBefore: [], logger: silentLogger, fresh: false });
  return Object.fromEntries(
    [...journal.read()].flatMap(({ entry }) => (entry.kind === 'state' ? [[entry.key, entry.value] as const] : [])),
  );
}

it('takes the newest session of the account that had the strategy, for each strategy', () => {
  keeps(session('a', NOON - 3 * HOUR_MS), { 'maker/n': '1', 'taker/n': '9' });
  keeps(session('b', NOON - 2 * HOUR_MS, ['maker', 'taker']), { 'maker/n': '2', 'taker/n': '3' });
  keeps(session('c', NOON - HOUR_MS), { 'maker/n': '4' });
  keeps(session('d', NOON - 1, ['maker'], 'bob'), { 'maker/n': '5' });
  expect(takenOver(['maker', 'taker'])).toEqual({ 'maker/n': '4', 'taker/n': '3' });
});

it('does not begin without where the journal cannot be read', () => {
  const folder = session('a', NOON - HOUR_MS);
  writeFileSync(join(folder.path, sessionFiles.journal), 'no journal');
  expect(() => takenOver()).toThrow(/journal/);
});

it('says where a journal is gone, and takes that of the session before', () => {
  const earlier = session('a', NOON - 3 * HOUR_MS);
  keeps(earlier, { 'maker/n': '1' });
  writeSession(earlier.path, { ...earlier.record, endedAt: NOON - 2 * HOUR_MS });
  session('b', NOON - HOUR_MS);
  const { state, warnings } = begun(false);
  expect(state.values.get('maker/n')).toBe('1');
  expect(warnings).toEqual([expect.stringMatching(/-b is gone: its state, refs/)]);
});

it.each([false, true])('goes on with what was used up, from session to session (--new: %s)', (fresh) => {
  const earlier = session('a', NOON - HOUR_MS);
  holds(earlier, [USED, ...transfers('day-1', 'never'), { kind: 'state', key: 'maker/n', value: '1' }]);
  const { state } = begun(fresh);
  const { money, trades } = state;
  expect(['old', 'day-1', 'never'].map((ref) => money.hasRef('maker', ref))).toEqual([true, true, false]);
  expect(['USDT', 'BTC', 'ETH'].map((currency) => money.transferred('maker', currency, NOON).toFixed())).toEqual([
    '150',
    '0.5',
    '0',
  ]);
  expect(money.transferred('maker', 'USDT', NOON + 12 * HOUR_MS).toFixed()).toBe('0');
  expect(trades.entriesOf('maker', NOON)).toBe(3);
  expect(trades.lastClose('maker', 'BTCUSDT')).toEqual({ at: 5, lostAt: 4 });
  // They moved money of an earlier session, and explain none of this one.
  expect(state.explainedBalance('USDT').toFixed()).toBe('0');
  expect(state.values.get('maker/n')).toBe(fresh ? undefined : '1');
});

it('begins anew with --new where the journal cannot be read, and says what is lost', () => {
  const folder = session('a', NOON - HOUR_MS);
  writeFileSync(join(folder.path, sessionFiles.journal), 'no journal');
  expect(begun(true).warnings).toEqual([expect.stringContaining('refs of transfers')]);
});

it('takes the session that ended last, which may have begun before another', () => {
  const [resumed, between] = [session('a', NOON - 3 * HOUR_MS), session('b', NOON - 2 * HOUR_MS)];
  keeps(resumed, { 'maker/n': '11' });
  keeps(between, { 'maker/n': '9' });
  writeSession(resumed.path, { ...resumed.record, endedAt: NOON - 1 });
  writeSession(between.path, { ...between.record, endedAt: NOON - HOUR_MS });
  expect(takenOver()).toEqual({ 'maker/n': '11' });
});

it('refuses each start until the journal can be read, and goes on then, also where a start came to nothing', async () => {
  const clock = new HandClock();
  const earlier = session('a', NOON - HOUR_MS);
  keeps(earlier, { 'maker/n': '7' });
  writeSession(earlier.path, {
    ...earlier.record,
    endedAt: NOON - HOUR_MS,
    dayLoss: { day: utcDay(clock.now()), amount: 12, currency: config.account.reporting },
  });
  const path = join(earlier.path, sessionFiles.journal);
  const whole = readFileSync(path);
  writeFileSync(path, 'no journal');
  const start = { mode: 'live', config, clock, logger: silentLogger } as const;
  const folder = session('b', NOON);
  for (const at of [folder, folder, session('c', NOON)])
    await expect(openSessionJournal({ ...start, folder: at })).rejects.toThrow(/journal/);
  writeFileSync(path, whole);
  (await openSessionJournal({ ...start, folder: session('d', NOON) })).close();
  expect(
    replayJournal(join(root, listSessions(root).find(({ record }) => record.id.endsWith('-d'))!.record.id)).state
      .values,
  ).toEqual(new Map([['maker/n', '7']]));
});

it('goes on with what a strategy kept that joins a session', async () => {
  const clock = new HandClock();
  const earlier = session('a', clock.now() - 2 * HOUR_MS, ['taker']);
  holds(earlier, [
    { ...USED, strategy: 'taker' },
    { kind: 'state', key: 'taker/n', value: '3' },
  ]);
  writeSession(earlier.path, { ...earlier.record, endedAt: clock.now() - HOUR_MS });
  const folder = session('b', clock.now(), ['maker', 'taker']);
  keeps(folder, { 'maker/n': '1' });
  const ranWith = folder.record.strategies.filter(({ tag }) => tag === 'maker');
  const start = { mode: 'live', config, clock, logger: silentLogger, folder, ranWith } as const;
  const path = join(earlier.path, sessionFiles.journal);
  const whole = readFileSync(path);
  writeFileSync(path, 'no journal');
  await expect(openSessionJournal(start)).rejects.toThrow(/journal/);
  const left = listSessions(root).find(({ record }) => record.id === folder.record.id);
  expect(left?.record.strategies).toEqual(ranWith);
  writeFileSync(path, whole);
  (await openSessionJournal(start)).close();
  const { values, money } = replayJournal(folder.path).state;
  expect([...values]).toEqual([
    ['maker/n', '1'],
    ['taker/n', '3'],
  ]);
  expect([money.hasRef('taker', 'old'), money.hasRef('maker', 'old')]).toEqual([true, false]);
});

/** A session that left something, one of the maker alone that ended after it, and the first again. */
function goneOn(between: readonly JournalEntry[], fresh = false): StateView {
  const left = session('a', NOON - 3 * HOUR_MS, ['maker', 'taker']);
  holds(left, [...transfers('day-1', 'never'), { kind: 'state', key: 'maker/n', value: '1' }]);
  writeSession(left.path, { ...left.record, endedAt: NOON - 2 * HOUR_MS });
  const alone = session('b', NOON - HOUR_MS);
  holds(alone, between);
  writeSession(alone.path, { ...alone.record, endedAt: NOON - 1 });
  const folder = { ...left, record: { ...left.record, endedAt: null } };
  for (const boot of [1, 2]) {
    const journal = openJournal(folder.path, { durability: 'normal', now: NOON + boot });
    const rows = journal.lastSeq;
    takeOverKept(journal, folder, NOON + boot, { ranBefore: ['maker', 'taker'], logger: silentLogger, fresh });
    if (boot === 2) expect(journal.lastSeq).toBe(rows);
    journal.close();
  }
  return replayJournal(folder.path).state;
}

it('a session that is gone on with knows what another did that ran and ended in between, once', () => {
  const { money, trades, values, pauses, latches } = goneOn([
    USED,
    ...transfers('day-2', 'never'),
    { kind: 'state', key: 'maker/n', value: '2' },
    { kind: 'state', key: 'maker/@signals/ids/trend', value: '["s1"]' },
    { kind: 'pause', strategy: 'maker', on: true, reason: 'looking' },
    { kind: 'latch', strategy: 'maker', on: true, reason: 'refused' },
  ]);
  expect([pauses.get('maker'), latches.get('maker')]).toEqual(['looking', 'refused']);
  expect(['old', 'day-1', 'day-2', 'never'].map((ref) => money.hasRef('maker', ref))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(money.transferred('maker', 'USDT', NOON).toFixed()).toBe('150');
  expect(trades.entriesOf('maker', NOON)).toBe(3);
  expect(trades.lastClose('maker', 'BTCUSDT')).toEqual({ at: 5, lostAt: 4 });
  expect([...values]).toEqual([
    ['maker/n', '2'],
    ['maker/@signals/ids/trend', '["s1"]'],
  ]);
});

it('and keeps its own where the other knew nothing newer', () => {
  const { money, values } = goneOn([]);
  expect(money.hasRef('maker', 'day-1')).toBe(true);
  expect([...values]).toEqual([['maker/n', '1']]);
});

it('--new begins without state, but knows which signals were delivered', () => {
  keeps(session('a', NOON - HOUR_MS), { 'maker/n': '1', 'maker/@signals/ids/trend': '["s1"]' });
  expect([...begun(true).state.values]).toEqual([['maker/@signals/ids/trend', '["s1"]']]);
});
