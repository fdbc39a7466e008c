/**
 * Found by use: a session whose policy is to leave its orders ended clean, so that the next start began another session. That
 * one took the orders for those of another instance and sent nothing while they rested, and what they traded was nobody's.
 */
import { expect, it } from 'vitest';
import { errorOf, run, start } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { restingStrategy } from '../e2e/resting.ts';
import { entriesOf } from '../e2e/session-view.ts';

function leaving() {
  const strategy = restingStrategy();
  return startMaker(`strategies:\n  - { file: ${strategy}, onStop: leave }\n`, strategy);
}

it('goes on with the session that knows them', async () => {
  const { cwd, exchange, args, env, bot, session, sessions } = await leaving();
  const { path, record } = session;
  const ended = await bot.signal('SIGINT');
  expect(ended.code, ended.stderr).toBe(0);
  expect((await exchange.activeOrders()).length).toBeGreaterThan(0);
  expect(sessions()[0]?.record).toMatchObject({ clean: true, left: true });

  const fresh = await run([...args, '--new'], { cwd, env });
  expect([fresh.code, errorOf(fresh).code], fresh.stderr).toEqual([3, 'session_unfinished']);

  const again = start(args, { cwd, env });
  await again.during('an order of the second start', () =>
    entriesOf(path, 'intent').some(({ intentId }) => /_2-\d+$/.test(intentId)) ? true : undefined,
  );
  const stopped = await again.signal('SIGINT');
  expect(stopped.stderr).toContain(`resuming ${record.id}`);
  expect(entriesOf(path, 'alarm').map(({ code }) => code)).not.toContain('foreign_prefix');
  expect(entriesOf(path, 'denial').map(({ reason }) => reason)).not.toContain('another_instance');
  expect(sessions()).toHaveLength(1);
}, 60_000);

it('is called by a panic, and begins with the latch on', async () => {
  const { cwd, exchange, config, args, env, bot, session } = await leaving();
  await bot.signal('SIGINT');
  const panic = await run(['panic', '--config', config, '--json'], { cwd, env });
  expect(panic.code, panic.stderr).toBe(0);
  expect(await exchange.activeOrders()).toEqual([]);
  const sent = (await exchange.orderHistory()).length;
  const again = start(args, { cwd, env });
  await again.during('an order that is denied', () =>
    entriesOf(session.path, 'denial').some(({ reason }) => reason === 'killed') ? true : undefined,
  );
  await again.signal('SIGINT');
  expect(await exchange.orderHistory()).toHaveLength(sent);
}, 60_000);
