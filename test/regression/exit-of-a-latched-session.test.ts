/** Found by reading: a session that began with its kill switch on, and could do nothing, ended with 0 as if all were well. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, run, start } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';
import { sessionFiles } from '../../src/session/store/store.ts';
import { writeKillFile } from '../../src/session/emergency/kill-file.ts';

it('ends with 3 and says what to do, once it has cancelled what rested', async () => {
  const { cwd, exchange, args, env, bot, session } = await startMaker();
  const { path, record } = session;
  await bot.signal('SIGKILL');
  expect(await exchange.activeOrders()).not.toHaveLength(0);
  writeKillFile(join(path, sessionFiles.kill), 'by hand');

  const latched = start(args, { cwd, env });
  await latched.during('no open order', async () => ((await exchange.activeOrders()).length === 0 ? true : undefined));
  const first = await latched.signal('SIGTERM');
  expect(first.code, first.stderr).toBe(3);
  expect(first.stderr).toContain(`npx tidewire journal clear-kill ${record.id} --reason`);
  expect(first.stderr).toContain(`error session_killed: the kill switch of ${record.id} is on: by hand`);
  expect(documentOf<{ session: string }>(first).session).toBe(record.id);

  const cleared = await run(['journal', 'clear-kill', record.id, '--reason', 'all is well'], { cwd });
  expect(cleared.code, cleared.stderr).toBe(0);
  const trading = start(args, { cwd, env });
  await trading.during('open orders', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  writeKillFile(join(path, sessionFiles.kill), 'during the run');
  const isKilled = (): true | undefined => (entriesOf(path, 'kill').length > 2 ? true : undefined);
  await trading.during('the latch in the journal', isKilled);
  const last = await trading.signal('SIGTERM');
  expect(last.code, last.stderr).toBe(0);
});
