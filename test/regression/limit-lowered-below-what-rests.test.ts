/** A start under limits that were lowered below what rests said nothing of it; `plan` alone named what is passed. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf } from '../e2e/cli.ts';
import { restingStrategy } from '../e2e/resting.ts';
import { sessions } from '../e2e/session-view.ts';

it('warns at the start in the words of the plan, and cancels nothing for it', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const config = join(customer.cwd, 'c.yaml');
  const run = ['run', restingStrategy(), '--live', '--confirm', customer.user.login];
  const first = customer.begin(run);
  await first.during('the resting order', async () => {
    const [session] = await sessions(customer.cwd, ['--config', config]);
    return session?.openOrders?.some(({ state }) => state === 'open') === true ? true : undefined;
  });
  await first.signal('SIGKILL');
  appendFileSync(config, 'risk: { maxPosition: "0.0005", maxOpenNotional: "10" }\n');
  const plan = documentOf<{ refuse: readonly { reason: string; message: string }[] }>(await customer.call(['plan']));
  const planned = plan.refuse.map(({ reason, message }) => `${reason}: ${message}`);
  expect(planned).toEqual([
    expect.stringMatching(/^max_open_notional: account: 5\d\.\d+ stands against maxOpenNotional 10$/),
    'max_position: BTCUSDT: 0.001 stands against maxPosition 0.0005',
  ]);
  const second = await customer.begin([...run, '--for', '2s']).ended;
  const { warnings } = documentOf<{ warnings: readonly string[] }>(second);
  for (const text of planned) {
    expect(warnings).toContain(`${text}; it stays, and nothing is cancelled for it`);
    expect(second.stderr).toContain(text);
  }
});
