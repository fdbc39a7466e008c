/**
 * Found by strangers: one session with a corrupt journal ended `money list` with 5 and listed nothing, neither the moves
 * of the terminal nor those of the other sessions. It lists what can be read, names the session that cannot, and still
 * ends with 5: unreadable is not empty.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession, type SessionFolder } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run, type Ended } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const REQUEST = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' } as const;

interface List {
  readonly items: readonly { readonly intentId: string; readonly session: string | null }[];
  readonly unreadable: readonly { readonly id: string; readonly path: string; readonly error: string }[];
}

it('money/list/names-the-unreadable-session-and-lists-the-rest', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const root = join(cwd, 'data', 'sessions');
  mkdirSync(root, { recursive: true });
  /** Left by a process that died before the answer. */
  const left = (suffix: string): SessionFolder => {
    const now = Date.now() - 60_000;
    const [account, address] = [exchange.user.login, exchange.line.restUrl];
    const folder = createSession(root, {
      mode: 'live',
      strategies: [],
      seed: 1,
      account,
      exchange: address,
      now,
      suffix,
    });
    const journal = openJournal(folder.path);
    const intentId = `${suffix}-m1`;
    journal.append(now, [
      { kind: 'session', event: 'start', boot: 1, bootId: suffix, facts: { account, exchange: address } },
      { kind: 'money-intent', intentId, strategy: 'maker', request: REQUEST, before: null },
      { kind: 'money-sending', intentId },
    ]);
    journal.close();
    return folder;
  };
  const readable = left('aa');
  const corrupt = left('bb');
  const cut = left('cc');
  const path = join(corrupt.path, JOURNAL_FILE);
  writeFileSync(path, readFileSync(path).fill(0xa5, 4_096));
  writeFileSync(join(cut.path, 'session.json'), '{"version": 1,');

  const call = (...args: string[]): Promise<Ended> => run([...args, '--config', config], { cwd, env: exchange.keys });
  const listed = await call('money', 'list', '--json');
  expect(listed.code, listed.stderr).toBe(5);
  const { items, unreadable } = documentOf<List>(listed);
  expect(items.map(({ intentId, session }) => [intentId, session])).toEqual([['aa-m1', readable.record.id]]);
  expect(unreadable.map(({ id }) => id).toSorted()).toEqual([corrupt.record.id, cut.record.id].toSorted());
  expect(unreadable.find(({ id }) => id === corrupt.record.id)).toMatchObject({
    path: corrupt.path,
    error: expect.stringContaining('journal_corrupt') as string,
  });

  const text = await call('money', 'list');
  expect(text.code).toBe(5);
  expect(text.stdout).toContain('aa-m1');
  expect(text.stdout).toContain(`! ${corrupt.record.id} cannot be read`);
  expect(text.stdout).toContain(`! ${cut.record.id} cannot be read`);

  const decide = (id: string): Promise<Ended> =>
    call('money', 'decide', id, '--verdict', 'absent', '--reason', 'the history shows none', '--yes', '--json');
  // What cannot be found may be in the session that cannot be read.
  const unknown = await decide('bb-m1');
  expect([unknown.code, errorOf(unknown).code]).toEqual([
    5,
    expect.stringMatching(/journal_corrupt|session_unreadable/),
  ]);
  expect((await decide('aa-m1')).code).toBe(0);
  expect(documentOf<List>(await call('money', 'list', '--unresolved', '--json')).items).toEqual([]);
}, 120_000);
