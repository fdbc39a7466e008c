/**
 * What a human may say about the limits of a running session, from the outside: the trial of a new version and its end
 * (reliability §2.7, 15), and a symbol that was halted after an overfill (O23).
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal } from '../../src/journal/verify.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, errorOf, strategyFile, type Running } from './cli.ts';
import { entriesOf, sessions } from './session-view.ts';

interface Shown {
  readonly halts: readonly { readonly symbol: string; readonly reason: string }[];
  readonly trials: readonly { readonly strategy: string; readonly version: string; readonly share: number }[];
}

async function openTrader(risk: string): Promise<Customer> {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  appendFileSync(join(customer.cwd, 'c.yaml'), risk);
  return customer;
}

function live(customer: Customer, ...more: readonly string[]): Running {
  return customer.begin(['run', strategyFile('spread-maker'), '--live', '--confirm', customer.user.login, ...more]);
}

async function shown(customer: Customer, id: string): Promise<Shown> {
  return documentOf<Shown>(await customer.call(['limits', 'show', id]));
}

async function resting(customer: Customer): Promise<number> {
  return ((await customer.get('/api/v2/exchange/client/order/active')) as readonly unknown[]).length;
}

/** Runs until the newest session has denied something for this reason. */
function denied(running: Running, customer: Customer, reason: string): Promise<string> {
  return running.during(`a denial, ${reason}`, async () => {
    const [session] = await sessions(customer.cwd);
    if (session === undefined) return undefined;
    const rows = entriesOf(session.path, 'denial').filter((entry) => entry.reason === reason);
    return rows.length > 0 ? session.id : undefined;
  });
}

it('hold a new version to its share until it is widened in two steps, and later sessions know', async () => {
  const risk = 'risk: { maxOrderQuantity: "0.001", canary: { share: 0.5, minFills: 0, minMs: 0 } }\n';
  const customer = await openTrader(risk);
  const bot = live(customer);
  const id = await denied(bot, customer, 'max_order_size');
  expect(await resting(customer)).toBe(0);
  const { trials } = await shown(customer, id);
  expect(trials).toMatchObject([{ strategy: 'spread-maker', share: 0.5 }]);
  const status = documentOf<{ readonly sessions: readonly Shown[] }>(await customer.call(['status', id]));
  expect(status.sessions[0]?.trials).toEqual(trials);
  expect(documentOf<Shown>(await customer.call(['plan', id])).trials).toEqual(trials);
  const rows = [...readJournal(join(customer.cwd, 'data', 'sessions', id))];
  const at = rows.find(({ entry }) => entry.kind === 'denial')?.ts ?? 0;
  const why = documentOf<{ readonly because: readonly string[] }>(
    await customer.call(['why-not', `BTCUSDT@${new Date(at).toISOString()}`]),
  );
  expect(why.because.join('\n')).toContain('spread-maker is on trial with 50 % of its limits');

  const stranger = await customer.call(['limits', 'widen', id, '--strategy', 'nobody', '--reason', 'x']);
  expect([stranger.code, errorOf(stranger).code]).toEqual([2, 'not_on_trial']);
  const words = ['limits', 'widen', id, '--strategy', 'spread-maker', '--reason', 'looked at it'];
  const { code } = documentOf<{ readonly code: string }>(await customer.call(words));
  expect(await resting(customer)).toBe(0);
  const confirmed = await customer.call(['limits', 'confirm', id, code]);
  expect(confirmed.code, confirmed.stderr).toBe(0);
  await bot.during('quotes of full size', async () => ((await resting(customer)) > 0 ? true : undefined));
  expect((await shown(customer, id)).trials).toEqual([]);
  expect((await bot.signal('SIGINT')).code).toBe(0);

  const later = live(customer, '--new');
  await later.during('quotes without a trial', async () => ((await resting(customer)) > 0 ? true : undefined));
  const [newest] = await sessions(customer.cwd);
  expect(newest?.id).not.toBe(id);
  expect((await shown(customer, newest?.id ?? '')).trials).toEqual([]);
  expect((await later.signal('SIGINT')).code).toBe(0);
});

it('keep a halted symbol from new risk over a restart, until a human resumes it', async () => {
  const customer = await openTrader('');
  const first = live(customer);
  await first.during('quotes', async () => ((await resting(customer)) > 0 ? true : undefined));
  const [session] = await sessions(customer.cwd);
  if (session === undefined) throw new Error('there is no session');
  await first.signal('SIGKILL');
  const journal = openJournal(session.path, { durability: 'full', now: systemClock.now(), reserveBytes: 0 });
  journal.append(systemClock.now(), [{ kind: 'halt', symbol: 'BTCUSDT', on: true, reason: 'more was filled' }]);
  journal.close();

  const bot = live(customer);
  expect(await denied(bot, customer, 'overfilled')).toBe(session.id);
  expect((await shown(customer, session.id)).halts).toEqual([{ symbol: 'BTCUSDT', reason: 'more was filled' }]);
  // What is mistyped is not what was meant, and nothing was opened.
  for (const words of [
    ['resume', session.id, 'BTCUSD'],
    ['enable', session.id, 'spread-makr'],
  ]) {
    const mistyped = await customer.call(['limits', ...words, '--reason', 'asked the exchange']);
    expect([mistyped.code, errorOf(mistyped).code]).toEqual([2, 'not_latched']);
  }
  const resumed = await customer.call(['limits', 'resume', session.id, 'BTCUSDT', '--reason', 'asked the exchange']);
  expect(resumed.code, resumed.stderr).toBe(0);
  expect((await shown(customer, session.id)).halts).toEqual([]);
  const rows = entriesOf(session.path, 'halt');
  expect(rows.at(-1)).toMatchObject({ symbol: 'BTCUSDT', on: false, reason: 'asked the exchange' });
  await bot.during('quotes again', async () => ((await resting(customer)) > 0 ? true : undefined));
  expect((await bot.signal('SIGINT')).code).toBe(0);
  const after = await customer.call(['limits', 'resume', session.id, 'BTCUSDT', '--reason', 'too late']);
  expect([after.code, errorOf(after).code]).toEqual([3, 'limit_not_confirmed']);
});
