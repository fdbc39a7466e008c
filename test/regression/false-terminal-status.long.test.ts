/**
 * A push that says of a resting order that it is over was believed for ever: two orders rested for three sessions while
 * `reconcile` said that both sides agree, and the position of one that was "filled" waited for trades that never were. The
 * active list contradicts such a word, and counts: the order is open again, and cancelled.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, freshFolder, run, start, type Running } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from '../e2e/exchange-process.ts';
import { until } from '../e2e/live-stack.ts';
import { limit, scenario } from '../e2e/scenario.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { ladder } from '../cli/ladder.ts';

const CHANNEL = { channel: '*@order-info' };

describe.each([true, false])('with clientOrderIds %s', (ids) => {
  it.each(['canceled', 'filled', 'expired', 'rejected'])(
    'an order that rests while a push says that it is %s is cancelled, and both sides agree',
    (status) =>
      scenario({ ids, alarms: ['contradiction'] }, async ({ world, stack }) => {
        await world.faults({ match: CHANNEL, fault: 'falseStatus', status, times: 1 });
        stack.act('maker', limit('buy', '59000', '0.01', 'a'));
        await until(() => stack.states().includes(`a ${status}`), 'the false word');
        expect(world.alice.active.size).toBe(1);
        await until(() => world.alice.active.size === 0, 'the order is gone');
        await until(() => stack.states().at(-1) === 'a canceled', 'it is known to be canceled');
        expect(stack.executor.unbookedCount()).toBe(0);
        const { disagreements } = await stack.reconciler.runNow();
        expect(disagreements.filter(({ kind }) => kind !== 'account')).toEqual([]);
      }),
  );

  it.each(['canceled', 'filled'])('is cancelled too where lists and answers call it %s as well', (status) =>
    scenario({ ids, alarms: ['contradiction'] }, async ({ world, stack }) => {
      await world.faults({ match: {}, fault: 'falseStatus', status });
      stack.act('maker', limit('buy', '59000', '0.01', 'a'));
      await until(() => stack.states().includes(`a ${status}`), 'the false word');
      await until(() => world.alice.active.size === 0, 'the order is gone');
      expect(stack.executor.unresolvedCount()).toBe(0);
    }),
  );

  it.each(['0', '0.004'])('is believed no more once history and trades agree on less: %s filled', (filled) =>
    scenario({ ids, alarms: ['contradiction'] }, async ({ world, stack }) => {
      await world.faults({ match: CHANNEL, fault: 'falseStatus', status: 'filled', times: 1 });
      stack.act('maker', limit('buy', '59995', '0.01', 'a'));
      await until(() => stack.states().includes('a filled'), 'the false word');
      const [orderId = ''] = world.alice.active.keys();
      if (filled !== '0') world.trade('bob', 'sell', '59995', filled, true);
      world.cancel('alice', orderId);
      await until(() => stack.states().at(-1) === 'a canceled', 'it is known to be canceled');
      expect(stack.executor.unbookedCount()).toBe(0);
      expect(Number(stack.executor.account('maker').position('BTCUSDT').quantity)).toBeCloseTo(Number(filled), 4);
    }),
  );
});

interface Report {
  readonly changes: readonly unknown[];
  readonly disagreements: readonly { readonly kind: string; readonly message: string }[];
}

interface Resting {
  readonly cwd: string;
  readonly exchange: ExchangeProcess;
  readonly config: string;
  readonly args: readonly string[];
  readonly live: Running;
}

/** A live session whose order rests at a word of its end that no list has contradicted yet. */
async function restingAndOver(rules: readonly object[] = []): Promise<Resting> {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(1));
  await exchange.control('faults', { rules: [{ match: CHANNEL, fault: 'falseStatus', times: 1 }, ...rules] });
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  await live.during('the false word', async () => {
    const [session] = await sessions(cwd);
    const told = session === undefined ? [] : entriesOf(session.path, 'order');
    return told.some(({ report }) => report.status === 'canceled') ? true : undefined;
  });
  expect((await exchange.activeOrders()).length).toBe(1);
  return { cwd, exchange, config, args, live };
}

it('plan and reconcile name an order that rests and is over by the journal, and the next start cancels it', async () => {
  const { cwd, exchange, config, args, live } = await restingAndOver();
  await live.signal('SIGKILL');
  const call = (...argv: string[]) => run([...argv, '--config', config, '--json'], { cwd, env: exchange.keys });

  for (const argv of [['plan'], ['reconcile', '--dry-run']]) {
    const told = await call(...argv);
    expect(told.code, told.stdout).toBe(5);
    const { changes, disagreements } = documentOf<Report>(told);
    const named = JSON.stringify([changes, disagreements]);
    for (const { orderId } of await exchange.activeOrders()) expect(named).toContain(orderId);
  }
  expect((await exchange.activeOrders()).length).toBe(1);

  const again = await run([...args, '--for', '3s'], { cwd, env: exchange.keys });
  expect(await exchange.activeOrders(), again.stderr).toEqual([]);
  expect(again.code, again.stderr).toBe(0);
  const agreed = await call('reconcile', '--dry-run');
  expect([agreed.code, documentOf<Report>(agreed).disagreements], agreed.stdout).toEqual([0, []]);
  const [session] = await sessions(cwd);
  expect(entriesOf(session?.path ?? '', 'correction').length).toBeGreaterThan(0);
});

it('an order that rests at a word of its end is cancelled by an orderly end, however soon it comes', async () => {
  const { exchange, live } = await restingAndOver();
  const ended = await live.signal('SIGINT');
  expect(await exchange.activeOrders(), ended.stderr).toEqual([]);
  expect(ended.code, ended.stderr).toBe(0);
});

it('a session over which an order rests that cannot be cancelled does not end clean', async () => {
  const { cwd, exchange, live } = await restingAndOver([
    { match: { method: 'DELETE', path: '*/order/*' }, fault: 'status', status: 503 },
    { match: { method: 'POST', path: '*/cancel-many' }, fault: 'status', status: 503 },
  ]);
  const ended = await live.signal('SIGINT');
  expect((await exchange.activeOrders()).length).toBe(1);
  expect(ended.code, ended.stderr).toBe(1);
  const [session] = await sessions(cwd);
  expect(session).toMatchObject({ clean: false });
});
