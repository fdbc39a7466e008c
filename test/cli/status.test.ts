/** `status --json` names each session's state in a word, and the process that runs it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../../src/journal/files/lock.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { writePanicLine } from '../../src/session/emergency/panic-ledger.ts';
import { createSession, writeSession, type SessionFolder } from '../../src/session/store/store.ts';
import { callCli } from './call-cli.ts';

interface Row {
  readonly id: string;
  readonly mode: string;
  readonly state: string;
  readonly pid: number | null;
}

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tidewire-status-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function session(change: Partial<SessionFolder['record']> = {}): SessionFolder {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const owner = { account: 'alice', exchange: 'http://127.0.0.1:1' };
  const made = { mode: 'live', strategies, seed: 1, ...owner, now: 1_700_000_000_000, suffix: 'aaaa' } as const;
  const { path, record } = createSession(join(cwd, 'data', 'sessions'), made);
  openJournal(path).close();
  const changed = { ...record, ...change };
  writeSession(path, changed);
  return { path, record: changed };
}

async function row(): Promise<Row | undefined> {
  const { code, stdout, stderr } = await callCli(['status', '--json'], cwd);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { readonly sessions: readonly Row[] }).sessions[0];
}

it.each([
  ['crashed', {}],
  ['ended', { clean: true }],
  ['left', { clean: true, left: true }],
  ['ended', { clean: true, latched: true }],
] as const)('status/state: %s', async (state, change) => {
  session(change);
  expect(await row()).toMatchObject({ mode: 'live', state, pid: null });
});

it.each([
  ['crashed', {}],
  ['ended', { clean: true }],
  ['left', { clean: true, left: true }],
] as const)('status/state: %s, as text too', async (state, change) => {
  session(change);
  const { stdout } = await callCli(['status'], cwd);
  expect(stdout).toContain(` ${state} `);
});

it('status/state: running, with its process', async () => {
  const { path, record } = session();
  const lock = acquireLock(path);
  expect(await row()).toMatchObject({ state: 'running', pid: record.pid });
  lock.release();
  expect(await row()).toMatchObject({ state: 'crashed', pid: null });
});

it('status/state: killed, and the process says whether it runs', async () => {
  const { path, record } = session();
  writeFileSync(join(path, 'KILL'), 'panic\n');
  expect(await row()).toMatchObject({ state: 'killed', pid: null });
  expect((await callCli(['status'], cwd)).stdout).toMatch(/ {2}killed: panic /);
  const lock = acquireLock(path);
  expect(await row()).toMatchObject({ state: 'killed', pid: record.pid });
  lock.release();
});

it('status/state: unreadable, and the process all the same', async () => {
  const { path, record } = session();
  writeFileSync(join(path, 'journal.db'), 'nothing that is a database, whatever it is read as');
  const lock = acquireLock(path);
  expect(await row()).toMatchObject({ mode: 'live', state: 'unreadable', pid: record.pid });
  lock.release();
});

it('status/journal: an edited row is unreadable in the list, and 5 for the session by name and for show and export', async () => {
  const { path } = session();
  const journal = openJournal(path);
  for (const name of ['one', 'two']) journal.append(1, [{ kind: 'record', name, data: { price: '59000' } }]);
  const seq = journal.lastSeq - 1;
  journal.close();
  const db = new Database(join(path, 'journal.db'));
  db.prepare("UPDATE journal SET body = replace(body, '59000', '69000') WHERE seq = ?").run(seq);
  db.close();
  const corrupt = expect.stringMatching(new RegExp(`journal_corrupt.*row ${seq} was changed`));
  expect(await row()).toMatchObject({ state: 'unreadable', error: corrupt });
  for (const words of [
    ['status', path],
    ['journal', 'show', path, '--kind', 'record'],
    ['journal', 'show', path],
    ['journal', 'export', path],
  ]) {
    const { code, stdout, stderr } = await callCli(words, cwd);
    expect([code, `${stdout}${stderr}`]).toEqual([5, corrupt]);
  }
});

it('status/panic: what a flatten traded stands beside what the journal holds, until it is taken in', async () => {
  const { record } = session({ clean: true });
  const { id, account, exchange } = record;
  const order = { kind: 'sending', id: 'p1', account, exchange, symbol: 'BTCUSDT', quantity: '-0.05' } as const;
  writePanicLine(join(cwd, 'data', 'sessions'), { ...order, session: id, strategy: 'maker', at: 1 });
  expect(await row()).toMatchObject({ panicked: [{ strategy: 'maker', symbol: 'BTCUSDT', quantity: '-0.05' }] });
  const { stdout } = await callCli(['status'], cwd);
  expect(stdout).toContain(`a panic traded -0.05 BTCUSDT of maker since: run npx tidewire reconcile ${id}`);
});
