/** A pause from another process: what rests goes, a kill -9 does not end it, and why-not names it. */
import { expect, it } from 'vitest';
import { readJournal } from '../../src/journal/verify.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, errorOf, strategyFile, type Running } from './cli.ts';
import { entriesOf, sessions } from './session-view.ts';

interface Shown {
  readonly sessions: readonly { readonly id: string; readonly pauses: Readonly<Record<string, string>> }[];
}

function live(customer: Customer): Running {
  return customer.begin(['run', strategyFile('spread-maker'), '--live', '--confirm', customer.user.login]);
}

async function resting(customer: Customer): Promise<number> {
  return ((await customer.get('/api/v2/exchange/client/order/active')) as readonly unknown[]).length;
}

it('pause and resume a strategy of a live session, over kill -9', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const early = await customer.call(['pause']);
  expect([early.code, errorOf(early).code]).toEqual([2, 'session_not_found']);

  const first = live(customer);
  await first.during('quotes', async () => ((await resting(customer)) > 0 ? true : undefined));
  const [session] = await sessions(customer.cwd);
  if (session === undefined) throw new Error('there is no session');
  const stranger = await customer.call(['pause', 'spread-makr']);
  expect([stranger.code, errorOf(stranger).code]).toEqual([2, 'bad_option']);

  const paused = await customer.call(['pause', '--reason', 'news at noon']);
  expect(paused.code, paused.stderr).toBe(0);
  expect(documentOf(paused)).toMatchObject({
    command: 'pause',
    session: session.id,
    strategy: 'spread-maker',
    paused: true,
  });
  await first.during('no quotes', async () => ((await resting(customer)) === 0 ? true : undefined));
  await first.signal('SIGKILL');

  const again = live(customer);
  const denied = await again.during('a denial', async () => {
    const rows = [...readJournal(session.path)];
    // The first life may have been denied, too, before it was killed.
    const start = rows.filter(({ entry }) => entry.kind === 'session' && entry.event === 'start')[1];
    if (start === undefined) return undefined;
    return rows.find(
      ({ seq, entry }) => seq > start.seq && entry.kind === 'denial' && entry.reason === 'strategy_paused',
    );
  });
  expect(entriesOf(session.path, 'session').filter(({ event }) => event === 'start')).toHaveLength(2);
  expect(await resting(customer)).toBe(0);
  const status = documentOf<Shown>(await customer.call(['status', session.id]));
  expect(status.sessions[0]?.pauses).toEqual({ 'spread-maker': 'news at noon' });
  const limits = documentOf<{ readonly pauses: readonly object[] }>(
    await customer.call(['limits', 'show', session.id]),
  );
  expect(limits.pauses).toEqual([{ strategy: 'spread-maker', reason: 'news at noon' }]);
  const when = new Date(denied.ts).toISOString();
  const why = documentOf<{ readonly because: readonly string[] }>(await customer.call(['why-not', `BTCUSDT@${when}`]));
  expect(why.because.join('\n')).toContain('spread-maker was paused by a human: news at noon.');
  expect(why.because.join('\n')).toContain('strategy_paused');

  const resumed = await customer.call(['resume', 'spread-maker', '--session', session.id]);
  expect(resumed.code, resumed.stderr).toBe(0);
  await again.during('quotes again', async () => ((await resting(customer)) > 0 ? true : undefined));
  expect((await again.signal('SIGINT')).code).toBe(0);
  const after = await customer.call(['pause', '--session', session.id]);
  expect([after.code, errorOf(after).code]).toEqual([3, 'limit_not_confirmed']);
});
