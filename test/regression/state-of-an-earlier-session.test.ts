/** Of which session the next live one takes over `state`: the newest of the account that had the strategy, by its journal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { takeOverStates } from '../../src/session/store/kept-states.ts';
import { createSession, sessionFiles, type SessionFolder } from '../../src/session/store/store.ts';

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

function keeps(folder: SessionFolder, values: Readonly<Record<string, string>>): void {
  const { startedAt } = folder.record;
  const journal = openJournal(folder.path, { durability: 'normal', now: startedAt });
  journal.append(
    startedAt,
    Object.entries(values).map(([key, value]) => ({ kind: 'state', key, value })),
  );
  journal.close();
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

it('takes nothing where there is nothing', () => {
  session('a', NOON - HOUR_MS);
  expect(takenOver()).toEqual({});
});
