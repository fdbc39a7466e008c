/**
 * Found by use: a session whose policy is to leave its orders ended clean, so that the next start began another session. That
 * one took the orders for those of another instance and sent nothing while they rested, and what they traded was nobody's.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions } from '../../src/session/store.ts';
import { errorOf, freshFolder, run, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

const maker = strategyFile('spread-maker');

it('goes on with the session that knows them', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, `strategies:\n  - { file: ${maker}, onStop: leave }\n`);
  const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const first = start(args, { cwd, env: exchange.keys });
  await first.during('orders at the exchange', async () =>
    (await exchange.activeOrders()).length > 1 ? true : undefined,
  );
  const ended = await first.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  const left = await exchange.activeOrders();
  expect(left.length).toBeGreaterThan(0);
  const [folder] = listSessions(join(cwd, 'data', 'sessions'));
  expect(folder?.record).toMatchObject({ clean: true, left: true });

  const fresh = await run([...args, '--new'], { cwd, env: exchange.keys });
  expect([fresh.code, errorOf(fresh).code], fresh.stderr).toEqual([3, 'session_unfinished']);

  const again = start(args, { cwd, env: exchange.keys });
  const path = folder?.path ?? '';
  await again.during('an order of the second start', () =>
    entriesOf(path, 'intent').some(({ intentId }) => /_2-\d+$/.test(intentId)) ? true : undefined,
  );
  const stopped = await again.signal('SIGINT');
  expect(stopped.stderr).toContain(`resuming ${folder?.record.id}`);
  expect(entriesOf(path, 'alarm').map(({ code }) => code)).not.toContain('foreign_prefix');
  expect(entriesOf(path, 'denial').map(({ reason }) => reason)).not.toContain('another_instance');
  expect(await sessions(cwd)).toHaveLength(1);
}, 60_000);

it('is called by a panic, and begins with the latch on', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, `strategies:\n  - { file: ${maker}, onStop: leave }\n`);
  const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const first = start(args, { cwd, env: exchange.keys });
  await first.during('orders at the exchange', async () =>
    (await exchange.activeOrders()).length > 1 ? true : undefined,
  );
  await first.signal('SIGINT');
  const panic = await run(['panic', '--config', config, '--json'], { cwd, env: exchange.keys });
  expect(panic.code, panic.stderr).toBe(0);
  expect(await exchange.activeOrders()).toEqual([]);
  const sent = (await exchange.orderHistory()).length;
  const again = start(args, { cwd, env: exchange.keys });
  const [folder] = listSessions(join(cwd, 'data', 'sessions'));
  await again.during('an order that is denied', () =>
    entriesOf(folder?.path ?? '', 'denial').some(({ reason }) => reason === 'killed') ? true : undefined,
  );
  await again.signal('SIGINT');
  expect(await exchange.orderHistory()).toHaveLength(sent);
}, 60_000);
