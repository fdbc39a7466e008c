/**
 * Found by strangers: `run --confirm bob` with the key of alice, whose session ran, was refused with "another process is
 * starting or trading on bob", which nobody did. What a running session proves of the key is said first, without a request.
 */
import { expect, it } from 'vitest';
import { holdAccount } from '../../src/session/store/account-lock.ts';
import { errorOf, freshFolder, run, start, strategyFile, type Ended } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { sessions } from '../e2e/session-view.ts';

it('run/confirm/wrong-account-is-said-before-running-sessions', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const [alice, bob] = exchange.line.users;
  if (alice === undefined || bob === undefined) throw new Error('two users are needed');
  const live = (confirm: string): string[] => [
    'run',
    strategyFile('spread-maker'),
    '--config',
    config,
    '--live',
    '--confirm',
    confirm,
    '--json',
  ];
  const keysOf = ({ apiKey }: typeof alice): Readonly<Record<string, string>> => ({
    TIDEWIRE_API_KEY: apiKey.publicKey,
    TIDEWIRE_API_SECRET: apiKey.secretKey,
  });
  const first = start(live(alice.login), { cwd, env: keysOf(alice) });
  await first.during('an order', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  const { id, pid } = (await sessions(cwd))[0] ?? {};

  const refused = async (confirm: string, user: typeof alice): Promise<{ code: string; message: string }> => {
    const ended: Ended = await run(live(confirm), { cwd, env: keysOf(user) });
    expect(ended.code, ended.stderr).toBe(3);
    return errorOf(ended);
  };
  // The key of the session that runs, on an account that nobody trades on.
  expect(await refused(bob.login, alice)).toMatchObject({
    code: 'live_wrong_account',
    message: `the key belongs to alice, on which process ${pid} trades with it; --confirm names bob`,
  });
  // Another key on the account that is traded: whose it is only the exchange could say, and it is not asked.
  expect(await refused(alice.login, bob)).toMatchObject({
    code: 'session_running',
    message: `${id} runs in process ${pid}, on account alice, with another key than this one; --confirm must name the account of this key`,
  });
  // The right confirmation.
  expect(await refused(alice.login, alice)).toMatchObject({ code: 'session_running' });
  await first.signal('SIGTERM');
  // Nobody runs: the exchange says whose key it is.
  expect(await refused(bob.login, alice)).toMatchObject({
    code: 'live_wrong_account',
    message: 'the key belongs to alice, --confirm names bob',
  });
});

it('run/confirm/start-with-this-key-is-not-laid-on-another-account', () => {
  const identity = { exchange: 'http://127.0.0.1:9', publicKey: 'ab'.repeat(32) };
  const first = holdAccount({ ...identity, account: 'alice' });
  expect(() => holdAccount({ ...identity, account: 'bob' })).toThrow(
    expect.objectContaining({
      code: 'session_running',
      message: 'another process is starting or trading with this key at http://127.0.0.1:9',
    }),
  );
  first.release();
});
