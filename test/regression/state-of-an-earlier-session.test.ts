/**
 * Of which session the next live one takes over `state`: the newest of the account that had the strategy. Found by reading: of one
 * that was resumed and then crashed, `states.json` is of its earlier end, and its journal counts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { keepStates, takeOverStates } from '../../src/session/store/kept-states.ts';
import { createSession, writeSession, type SessionFolder } from '../../src/session/store/store.ts';

const NOON = Date.parse('2026-01-05T12:00:00Z');
const HOUR_MS = 3_600_000;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-states-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function session(suffix: string, startedAt: number, tags = ['maker'], account = 'ada'): SessionFolder {
  const strategies = tags.map((tag) => ({ name: tag, tag, file: `${tag}.ts`, params: {} }));
  return createSession(root, { mode: 'live', strategies, seed: 1, account, exchange: 'venue', now: startedAt, suffix });
}

function ended(folder: SessionFolder, values: Readonly<Record<string, string>>): void {
  keepStates(folder.path, new Map(Object.entries(values)));
  writeSession(folder.path, { ...folder.record, endedAt: folder.record.startedAt + 1 });
}

/** What a new session begins its journal with. */
function takenOver(tags?: string[]): Readonly<Record<string, string>> {
  const journal = createMemoryJournal();
  takeOverStates(journal, session('new', NOON, tags), NOON, silentLogger);
  return Object.fromEntries(
    [...journal.read()].flatMap(({ entry }) => (entry.kind === 'state' ? [[entry.key, entry.value] as const] : [])),
  );
}

it('takes the newest session of the account that had the strategy, for each strategy', () => {
  ended(session('a', NOON - 3 * HOUR_MS), { 'maker/n': '1', 'taker/n': '9' });
  ended(session('b', NOON - 2 * HOUR_MS, ['maker', 'taker']), { 'maker/n': '2', 'taker/n': '3' });
  ended(session('c', NOON - HOUR_MS), { 'maker/n': '4' });
  ended(session('d', NOON - 1, ['maker'], 'bob'), { 'maker/n': '5' });
  expect(takenOver(['maker', 'taker'])).toEqual({ 'maker/n': '4', 'taker/n': '3' });
});

it('takes the journal of one that did not end, whatever an earlier end of it has written', () => {
  const folder = session('a', NOON - HOUR_MS);
  keepStates(folder.path, new Map([['maker/n', '1']]));
  const journal = openJournal(folder.path, { durability: 'normal', now: NOON - HOUR_MS });
  journal.append(NOON - HOUR_MS, [{ kind: 'state', key: 'maker/n', value: '2' }]);
  journal.close();
  expect(takenOver()).toEqual({ 'maker/n': '2' });
});

it('takes nothing where there is nothing', () => {
  session('a', NOON - HOUR_MS);
  expect(takenOver()).toEqual({});
});
