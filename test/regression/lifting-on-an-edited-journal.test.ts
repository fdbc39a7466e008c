/**
 * Found by reading: `journal clear-kill` opened the kill switch of a journal whose older rows were edited, and so did
 * `acknowledge`, `approve-build` and `money decide` write to it: a start looks at the last 1,000 rows alone.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { createSession, sessionFiles } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const NOTE = { kind: 'note', strategy: 'maker', text: 'quantity 0.001' } as const;
const REQUEST = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' } as const;
const ROWS = 1_205;
/** Killed, restored, of another build, with a transfer of unknown end. */
const HEAD: readonly JournalEntry[] = [
  { kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: { build: '0.0.1+older' } },
  { kind: 'restored', event: 'restored', reason: 'a backup' },
  { kind: 'kill', on: true, reason: 'panic' },
  { kind: 'money-intent', intentId: 'm1', strategy: 'maker', request: REQUEST, before: null },
  { kind: 'money-sending', intentId: 'm1' },
];

interface Session {
  readonly cwd: string;
  readonly path: string;
  readonly id: string;
}

function session(
  edited: number | null,
  { cwd = freshFolder(), account = 'alice', exchange = 'https://exchange.test' } = {},
): Session {
  const { path, record } = createSession(join(cwd, 'data', 'sessions'), {
    mode: 'live',
    strategies: [],
    seed: 1,
    account,
    exchange,
    now: 1,
    suffix: 'aa',
  });
  const store = openJournal(path);
  store.append(1, [...HEAD, ...Array.from({ length: ROWS - HEAD.length }, () => NOTE)]);
  store.close();
  const db = new Database(join(path, JOURNAL_FILE));
  if (edited !== null)
    db.prepare(`UPDATE journal SET body = replace(body, '0.001', '0.002') WHERE seq = ?`).run(edited);
  db.close();
  return { cwd, path, id: record.id };
}

describe.each(['clear-kill', 'acknowledge', 'approve-build'])('journal %s', (command) => {
  it('refuses with 5, and changes nothing', async () => {
    const { cwd, path, id } = session(9);
    const kill = join(path, sessionFiles.kill);
    writeFileSync(kill, 'once more\n');
    const ended = await callCli(['journal', command, id, '--reason', 'looked', '--json'], cwd);
    expect(ended.code, ended.stderr).toBe(5);
    expect(errorOf({ ...ended, signal: null })).toMatchObject({
      code: 'journal_corrupt',
      message: expect.stringContaining('row 9 was changed'),
    });
    const db = new Database(join(path, JOURNAL_FILE), { readonly: true });
    expect(db.prepare('SELECT max(seq) AS last FROM journal').get()).toEqual({ last: ROWS });
    db.close();
    expect(existsSync(kill)).toBe(true);
  });

  it('writes to a whole one', async () => {
    const { cwd, path, id } = session(null);
    const ended = await callCli(['journal', command, id, '--reason', 'looked', '--json'], cwd);
    expect(ended.code, ended.stderr).toBe(0);
    expect(verifyJournal(path)).toMatchObject({ ok: true, rows: ROWS + 1 });
  });
});

it('money decide refuses with 5', async () => {
  const cwd = freshFolder();
  const { user, line, keys } = await startExchange(cwd);
  session(9, { cwd, account: user.login, exchange: line.restUrl });
  const config = writeExchangeConfig(cwd, line);
  const decide = ['money', 'decide', 'm1', '--verdict', 'absent', '--reason', 'none', '--yes', '--json'];
  const ended = await run([...decide, '--config', config], { cwd, env: keys });
  expect([ended.code, errorOf(ended).code], ended.stderr).toEqual([5, 'journal_corrupt']);
}, 60_000);
