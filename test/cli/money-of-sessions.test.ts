/**
 * A transfer of a strategy whose fate no reading can prove, as the alarm `money_unknown` sends a human to it: `money list`
 * shows it with its session, `money decide` writes the decision into the journal of the session once that does not run.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { sessionState } from '../../src/session/upkeep/session-state.ts';
import { createSession, type SessionFolder } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, type Ended } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { callCli } from './call-cli.ts';

const REQUEST = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' } as const;

/** Left by a process that died before the answer. */
function leftBy(root: string, account: string, exchange: string, suffix: string): SessionFolder {
  const now = Date.now() - 60_000;
  const folder = createSession(root, { mode: 'live', strategies: [], seed: 1, account, exchange, now, suffix });
  const journal = openJournal(folder.path);
  const intentId = `${suffix}-m1`;
  journal.append(now, [
    { kind: 'session', event: 'start', boot: 1, bootId: suffix, facts: { account, exchange } },
    { kind: 'money-intent', intentId, strategy: 'maker', request: REQUEST, before: null },
    { kind: 'money-sending', intentId },
  ]);
  journal.close();
  return folder;
}

it('is listed with its session and decided on, and a session of another account is left alone', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const root = join(cwd, 'data', 'sessions');
  mkdirSync(root, { recursive: true });
  const folder = leftBy(root, exchange.user.login, exchange.line.restUrl, 'aa');
  const other = leftBy(root, 'somebody', exchange.line.restUrl, 'bb');
  const call = async (...argv: string[]): Promise<Ended> => {
    const { code, stdout, stderr } = await callCli([...argv, '--config', config, '--json'], cwd, {
      env: exchange.keys,
    });
    return { code, signal: null, stdout, stderr };
  };
  const list = documentOf<{ items: readonly { intentId: string; session: string | null }[] }>(
    await call('money', 'list', '--unresolved'),
  );
  expect(list.items.map(({ intentId, session }) => [intentId, session])).toEqual([['aa-m1', folder.record.id]]);
  expect(sessionState(folder).unresolved).toBe(1);
  const decide = (id: string): Promise<Ended> =>
    call('money', 'decide', id, '--verdict', 'absent', '--reason', 'the history shows none', '--yes');
  const held = openJournal(folder.path);
  expect(errorOf(await decide('aa-m1')).code).toBe('session_running');
  held.close();
  const decided = await decide('aa-m1');
  expect(decided.code, decided.stderr).toBe(0);
  expect(sessionState(folder).unresolved).toBe(0);
  expect(errorOf(await decide('aa-m1')).code).toBe('operation_invalid');
  expect(errorOf(await decide('bb-m1')).code).toBe('operation_invalid');
  expect(sessionState(other).unresolved).toBe(1);
  // Nobody has confirmed anything here: it is the session that is another's.
  const strange = errorOf(await call('plan', other.record.id));
  const message = `the key belongs to ${exchange.user.login}, ${other.record.id} is of somebody`;
  expect(strange).toMatchObject({ code: 'live_wrong_account', message });
}, 60_000);
