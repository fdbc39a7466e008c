/**
 * `pause` ended with 0 while the exchange did not answer, so orders of new risk that should have been cancelled rested on and
 * nobody said so.
 */
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf } from '../e2e/cli.ts';
import { restingStrategy } from '../e2e/resting.ts';

interface Paused {
  readonly paused: boolean;
  readonly unproved?: readonly string[];
}

it('pause names the orders whose end the exchange has not confirmed, and stands', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const resting = async (): Promise<number> =>
    ((await customer.get('/api/v2/exchange/client/order/active')) as readonly unknown[]).length;
  const live = customer.begin(['run', restingStrategy(), '--live', '--confirm', customer.user.login]);
  await live.during('its order', async () => ((await resting()) > 0 ? true : undefined));

  await customer.faults([{ match: { method: 'DELETE' }, fault: 'status', status: 503 }]);
  const paused = await customer.call(['pause']);
  expect([paused.code, documentOf<Paused>(paused).paused], paused.stderr).toEqual([4, true]);
  expect(documentOf<Paused>(paused).unproved).not.toEqual([]);
  expect(await resting()).toBeGreaterThan(0);

  await customer.faults([]);
  await live.during('no order', async () => ((await resting()) === 0 ? true : undefined));
  const again = await customer.call(['pause']);
  expect([again.code, documentOf(again)]).toMatchObject([0, { paused: true, unproved: [] }]);
  const resumed = await customer.call(['resume']);
  expect([resumed.code, documentOf<Paused>(resumed)]).toMatchObject([0, { paused: false }]);
  expect((await live.signal('SIGINT')).code).toBe(0);
});
