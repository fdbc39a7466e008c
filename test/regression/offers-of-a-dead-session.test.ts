/** After the death of a P2P bot `status`, `plan` and `panic` said nothing of its advertisement, which was public still. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { standingOffers } from '../../src/session/emergency/standing-offers.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, run, strategyFile } from '../e2e/cli.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

it('p2p/dead-session/its-advertisement-is-named', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const maker = {
    file: strategyFile('p2p-maker'),
    params: { everyMs: 100, amount: '300' },
    limits: { p2p: true },
  };
  appendFileSync(join(customer.cwd, 'c.yaml'), `strategies: ${JSON.stringify([maker])}\n`);
  const bot = customer.begin(['run', '--live', '--confirm', customer.user.login]);
  const id = await bot.during('an advertisement', async () => {
    const [session] = await sessions(customer.cwd, ['--config', join(customer.cwd, 'c.yaml')]);
    const outcomes = session === undefined ? [] : entriesOf(session.path, 'money-outcome');
    const [made] = outcomes.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.value.id] : []));
    return typeof made === 'string' ? made : undefined;
  });
  await bot.signal('SIGKILL');
  const named = `the P2P advertisement ${id} may still be public`;
  const status = await run(['status', '--config', join(customer.cwd, 'c.yaml')], { cwd: customer.cwd });
  expect(status.stdout).toContain(named);
  const plan = await customer.call(['plan']);
  expect(documentOf(plan)).toMatchObject({ p2p: { advertisements: [id], trades: [] } });
  const panic = await customer.call(['panic'], { env: { TIDEWIRE_RECONCILE_HISTORY_LAG_MS: '300' } });
  expect(panic.code, panic.stderr).toBe(0);
  expect(documentOf<{ problems: readonly string[] }>(panic).problems).toEqual([expect.stringContaining(named)]);
});

it('p2p/dead-session/what-was-hidden-or-ended-is-not-named', () => {
  const record = (kind: string, id: string, fate = 'accepted') => ({ request: { kind }, fate, receipt: { id } });
  const records = [
    record('advertise', 'a1'),
    record('deactivateAdvertisement', 'a1'),
    record('advertise', 'a2'),
    record('deactivateAdvertisement', 'a2', 'refused'),
    record('startTrade', 't1'),
    record('confirmTrade', 't1'),
    record('startTrade', 't2'),
  ];
  expect(standingOffers({ records: () => records as never })).toEqual({ advertisements: ['a2'], trades: ['t2'] });
});
