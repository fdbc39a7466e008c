/**
 * Found by hand: another process held SQLite's write lock when `panic` came. The latch was on in memory alone, the kill file was
 * taken away all the same, the session ended for its journal, and the next start traded on (INV-K3).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { errorOf, freshFolder, run, start } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('leaves the order to stop to the next start when its row could not be written', async () => {
  const { cwd, exchange, config, args, env, bot, session, sessions } = await startMaker();
  const { path, record } = session;
  const other = new Database(join(path, 'journal.db'));
  // The bot stands still until the file is there: whatever it does then, its look at the file meets the lock.
  other.exec('BEGIN IMMEDIATE');
  process.kill(record.pid, 'SIGSTOP');
  const panic = start(['panic', '--config', config, '--json'], { cwd, env });
  await panic.during('the file', () => (existsSync(join(path, 'KILL')) ? true : undefined));
  process.kill(record.pid, 'SIGCONT');
  const ended = await bot.ended;
  const stopped = await panic.ended;
  expect(stopped.code, stopped.stderr).toBe(0);
  expect([ended.code, errorOf(ended).code], ended.stderr).toEqual([5, 'journal_failed']);
  other.exec('ROLLBACK');
  other.close();
  expect(entriesOf(path, 'kill')).toEqual([]);
  expect(existsSync(join(path, 'KILL'))).toBe(true);

  const before = (await exchange.orderHistory()).length;
  const again = start(args, { cwd, env });
  await again.during('an order that is denied', () =>
    entriesOf(path, 'denial').some(({ reason }) => reason === 'killed') ? true : undefined,
  );
  expect(entriesOf(path, 'kill')).toMatchObject([{ on: true, reason: 'panic' }]);
  // Journalled, so the file has done its work.
  expect(existsSync(join(path, 'KILL'))).toBe(false);
  const { code, stderr } = await again.signal('SIGTERM');
  expect(code, stderr).toBe(3);
  expect(await exchange.activeOrders()).toEqual([]);
  expect(await exchange.orderHistory()).toHaveLength(before);
  expect(sessions().map((folder) => folder.record.id)).toEqual([record.id]);
});

it('is cleared by the one command for it, also where no start has heeded the file', async () => {
  const cwd = freshFolder();
  const path = join(cwd, 'data', 'sessions', 'dead');
  openJournal(path).close();
  writeFileSync(join(path, 'KILL'), 'panic\n');
  const cleared = await run(['journal', 'clear-kill', 'dead', '--reason', 'all is well'], { cwd });
  expect(cleared.code, cleared.stderr).toBe(0);
  expect(entriesOf(path, 'kill').map(({ on, reason }) => [on, reason])).toEqual([
    [true, 'panic'],
    [false, 'all is well'],
  ]);
  expect(existsSync(join(path, 'KILL'))).toBe(false);
});
