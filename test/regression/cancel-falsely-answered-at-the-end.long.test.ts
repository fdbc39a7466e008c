/**
 * Found at the end of a session: a cancel that was answered "canceled" and had no effect was believed each time, so the
 * end named no order, said that the exchange did not answer, and left a journal in which nothing was open.
 */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run, start } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';
import { ladder } from '../cli/ladder.ts';

interface Plan {
  readonly cancel: readonly { readonly ref: string; readonly orderId: string; readonly state: string }[];
}

it('names the order that rests, in its warnings, in status and in plan', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(1));
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  await live.during('its order', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  await exchange.control('faults', {
    rules: [
      { match: { method: 'DELETE' }, fault: 'falseCancel' },
      { match: { method: 'POST', path: '*/cancel-many' }, fault: 'falseCancel' },
    ],
  });
  const ended = await live.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(1);
  const [{ orderId } = { orderId: '' }, ...others] = await exchange.activeOrders();
  expect(others).toEqual([]);

  const { warnings } = documentOf<{ readonly warnings: readonly string[] }>(ended);
  const named = `buy 0.001 BTCUSDT (step-0, order ${orderId}) is active in the last list of the exchange, whatever it answered to the cancels`;
  expect(warnings).toContain(named);
  expect(warnings.join('\n')).not.toContain('did not answer');
  expect(ended.stderr).not.toContain('journal_failed');

  const [session] = await sessions(cwd);
  expect(session).toMatchObject({ clean: false, openOrders: [{ ref: 'step-0', orderId }] });
  expect(entriesOf(session?.path ?? '', 'alarm').map(({ code }) => code)).toEqual(['contradiction']);
  const plan = await run(['plan', '--config', config, '--json'], { cwd, env: exchange.keys });
  expect(documentOf<Plan>(plan).cancel).toMatchObject([{ ref: 'step-0', orderId, state: 'open' }]);

  await exchange.control('faults', { rules: [] });
  const again = await run([...args, '--for', '3s'], { cwd, env: exchange.keys });
  expect(await exchange.activeOrders(), again.stderr).toEqual([]);
  expect(again.code, again.stderr).toBe(0);
});
