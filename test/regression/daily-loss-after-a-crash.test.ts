/**
 * Found by reading: a session that crashed passed nothing of its day on, so that `--new` after a crash had a whole daily
 * limit to lose. The loss that it wrote while it ran counts.
 */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { takeOverDayLoss } from '../../src/session/store/day-loss.ts';
import { keepLosses, readLosses, type LossSource } from '../../src/session/store/losses-file.ts';
import { createSession, sessionFiles, writeSession, type SessionFolder } from '../../src/session/store/store.ts';
import { HandClock } from '../execution/rig.ts';

const NOON = Date.parse('2026-01-05T12:00:00Z');
const HOUR_MS = 3_600_000;
const TODAY = '2026-01-05';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-day-loss-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function session(suffix: string, startedAt: number, account = 'ada'): SessionFolder {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const of = { mode: 'live', strategies, seed: 1, account, exchange: 'venue', now: startedAt, suffix } as const;
  return createSession(root, of);
}

function crashed(suffix: string, at: number, losses: object, account?: string): SessionFolder {
  const folder = session(suffix, at - HOUR_MS, account);
  const file = join(folder.path, sessionFiles.losses);
  writeFileSync(file, JSON.stringify({ strategies: {}, currency: 'USDT', ...losses }));
  utimesSync(file, at / 1000, at / 1000);
  return folder;
}

function ended(suffix: string, endedAt: number, amount: number | null): void {
  const { path, record } = session(suffix, endedAt - HOUR_MS);
  const dayLoss = amount === null ? null : { day: TODAY, amount, currency: 'USDT' };
  writeSession(path, { ...record, endedAt, dayLoss });
}

/** What a new session begins its journal with. */
function takenOver(): readonly string[] {
  const journal = createMemoryJournal();
  takeOverDayLoss(journal, session('new', NOON), 'USDT', NOON);
  return [...journal.read()].flatMap(({ entry }) => (entry.kind === 'risk-mark' ? [entry.value] : []));
}

it('takes over what a crashed session had lost, which holds what was lost before it', () => {
  ended('aaaa', NOON - 2 * HOUR_MS, 40);
  crashed('bbbb', NOON - HOUR_MS, { account: { day: TODAY, amount: 150 } });
  expect(takenOver()).toEqual([`${TODAY} 150`]);
});

it('takes the newest loss that is known', () => {
  crashed('aaaa', NOON - 3 * HOUR_MS, { account: { day: TODAY, amount: 150 } });
  ended('bbbb', NOON - 2 * HOUR_MS, 170);
  crashed('cccc', NOON - HOUR_MS, { account: null });
  ended('dddd', NOON - HOUR_MS / 2, null);
  expect(takenOver()).toEqual([`${TODAY} 170`]);
});

it('takes none of another day, account or currency', () => {
  crashed('aaaa', NOON - HOUR_MS, { account: { day: '2026-01-04', amount: 150 } });
  crashed('bbbb', NOON - HOUR_MS, { account: { day: TODAY, amount: 150 } }, 'bob');
  crashed('cccc', NOON - HOUR_MS, { account: { day: TODAY, amount: 150 }, currency: 'BTC' });
  expect(takenOver()).toEqual([]);
});

it('a start that dies before it has seen a balance forgets no loss', () => {
  const { path } = crashed('aaaa', NOON - HOUR_MS, { account: { day: TODAY, amount: 150 } });
  const file = join(path, sessionFiles.losses);
  const source: LossSource = { lossOfDay: () => undefined, strategyLosses: () => new Map() };
  const clock = new HandClock();
  keepLosses(file, clock, source, 'USDT', silentLogger);
  clock.advance(1_000);
  expect(readLosses(file)?.account).toEqual({ day: TODAY, amount: 150 });
});
