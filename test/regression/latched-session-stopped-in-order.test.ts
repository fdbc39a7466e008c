/**
 * Found by reading: a killed session that was then stopped in order counted as ended, so that the next start, by a
 * supervisor for one, made a fresh session without the latch and traded (INV-K3).
 */
import { expect, it } from 'vitest';
import { errorOf, run, start } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('begins with the latch on until a human clears it', async () => {
  const { cwd, exchange, config, args, env, bot, session, sessions } = await startMaker();
  const { path, record } = session;
  const panic = await run(['panic', '--config', config, '--json'], { cwd, env });
  expect(panic.code, panic.stderr).toBe(0);
  await bot.during('the latch in the journal', () => (entriesOf(path, 'kill').length > 0 ? true : undefined));
  const first = await bot.signal('SIGTERM');
  expect(first.code, first.stderr).toBe(0);
  const sent = (await exchange.orderHistory()).length;
  const denials = (): number => entriesOf(path, 'denial').filter(({ reason }) => reason === 'killed').length;
  const deniedBefore = denials();

  const again = start(args, { cwd, env });
  await again.during('one more order that is denied', () => (denials() > deniedBefore ? true : undefined));
  const second = await again.signal('SIGTERM');
  expect(second.code, second.stderr).toBe(3);
  expect(second.stderr).toContain(`resuming ${record.id}`);
  expect(await exchange.orderHistory()).toHaveLength(sent);

  const fresh = await run([...args, '--new'], { cwd, env });
  expect([fresh.code, errorOf(fresh).code], fresh.stderr).toEqual([3, 'session_unfinished']);
  const cleared = await run(['journal', 'clear-kill', record.id, '--reason', 'all is well'], { cwd });
  expect(cleared.code, cleared.stderr).toBe(0);
  const trading = start(args, { cwd, env });
  await trading.during('open orders', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  const last = await trading.signal('SIGTERM');
  expect(last.code, last.stderr).toBe(0);
  expect(sessions()).toHaveLength(1);
});
