/**
 * Found by hand: another process held SQLite's write lock when `panic` came. The latch was on in memory alone, the kill file was
 * taken away all the same, the session ended for its journal, and the next start traded on (INV-K3).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/execution/journal/sqlite-store.ts';
import { readSession } from '../../src/session/store.ts';
import { errorOf, freshFolder, run, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions, sessionWhen } from '../e2e/session-view.ts';

/** Of a running process: it does nothing until `SIGCONT`, and then what fell due meanwhile. */
function pidOf(path: string): number {
  const pid = readSession(path)?.record.pid;
  if (pid === undefined) throw new Error(`no session in ${path}`);
  return pid;
}

it('leaves the order to stop to the next start when its row could not be written', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const login = exchange.user.login;
  const args = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', login, '--json'];
  const env = exchange.keys;
  const bot = start(args, { cwd, env });
  const { id, path } = await sessionWhen(bot, cwd, 'open orders', ({ openOrders }) => openOrders.length > 0);
  const other = new Database(join(path, 'journal.db'));
  // The bot stands still until the file is there: whatever it does then, its look at the file meets the lock.
  other.exec('BEGIN IMMEDIATE');
  process.kill(pidOf(path), 'SIGSTOP');
  const panic = await run(['panic', '--config', config, '--json'], { cwd, env });
  expect(panic.code, panic.stderr).toBe(0);
  process.kill(pidOf(path), 'SIGCONT');
  const ended = await bot.ended;
  expect([ended.code, errorOf(ended).code], ended.stderr).toEqual([5, 'journal_failed']);
  other.exec('ROLLBACK');
  other.close();
  expect(entriesOf(path, 'kill')).toEqual([]);
  expect(existsSync(join(path, 'KILL'))).toBe(true);

  const before = (await exchange.orderHistory()).length;
  const again = start(args, { cwd, env });
  const killed = await sessionWhen(again, cwd, 'the latch in the journal', (session) => session.killed !== null);
  expect([killed.id, killed.killed]).toEqual([id, 'panic']);
  await again.during('an order that is denied', async () =>
    entriesOf(path, 'denial').some(({ reason }) => reason === 'killed') ? true : undefined,
  );
  // Journalled, so the file has done its work.
  expect(existsSync(join(path, 'KILL'))).toBe(false);
  const { code, stderr } = await again.signal('SIGTERM');
  expect(code, stderr).toBe(0);
  expect(await exchange.activeOrders()).toEqual([]);
  expect(await exchange.orderHistory()).toHaveLength(before);
  expect((await sessions(cwd)).map((session) => session.id)).toEqual([id]);
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
