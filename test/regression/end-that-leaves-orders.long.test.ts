/** An end that could cancel nothing left orders at the exchange, and its alerts said no more than that the session had ended. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { signed } from '../conformance/raw-client.ts';
import { beforeRemoval, strategyFile } from '../e2e/cli.ts';
import { CANCEL, CANCEL_MANY } from '../e2e/scenario.ts';

interface Alert {
  readonly topic: string;
  readonly code: string;
  readonly text: string;
  readonly action: string | null;
}

it('alerts/end/orders-that-are-left-are-a-page', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const path = join(customer.cwd, 'alerts.jsonl');
  // Far from the market, so that nothing fills.
  const maker = { file: strategyFile('spread-maker'), params: { halfSpreadBps: 20 } };
  const more = { strategies: [maker], alerts: [{ kind: 'file', path }] };
  appendFileSync(
    join(customer.cwd, 'c.yaml'),
    Object.entries(more)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join(''),
  );
  const bot = customer.begin(['run', '--live', '--confirm', customer.user.login]);
  await bot.during('two orders', async () => {
    const reply = await signed(sandbox.restUrl, customer.user.apiKey, 'GET', '/api/v2/exchange/client/order/active');
    return (reply.json as readonly unknown[]).length >= 2 ? true : undefined;
  });
  const rules = [CANCEL, CANCEL_MANY].map((match) => ({ match, fault: 'status', status: 503 }));
  const faults = await fetch(`${sandbox.restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
  expect(faults.status).toBe(200);
  const ended = await bot.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(1);
  expect(existsSync(path)).toBe(true);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const alerts = lines.map((line) => JSON.parse(line) as Alert);
  expect(alerts.filter(({ code }) => code === 'end_unconfirmed')).toEqual([
    expect.objectContaining({
      topic: 'page',
      text: expect.stringMatching(/^[1-9]\d* orders may still rest at the exchange: not every order is confirmed/),
      action: expect.stringContaining('tidewire panic'),
    }),
  ]);
});
