/**
 * Found by hand: a pause of a session that stood still (SIGSTOP) failed with the words for limits, as if a safety rule had refused
 * it, and was carried out all the same once the session went on.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postOrder, takeOrder, withdrawOrder } from '../../src/session/controls/order-file.ts';
import { errorOf, start } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('fails, says so, and nothing of it takes effect later; so does a cancellation', async () => {
  const { cwd, config, env, bot, session } = await startMaker();
  const { path, record } = session;
  const call = (...words: readonly string[]) => start([...words, '--config', config, '--json'], { cwd, env }).ended;
  process.kill(record.pid, 'SIGSTOP');
  const [paused, canceled] = await Promise.all([call('pause', '--reason', 'too late'), call('cancel-all')]);
  expect([paused.code, errorOf(paused).code], paused.stdout).toEqual([1, 'command_not_heeded']);
  expect([canceled.code, errorOf(canceled).code], canceled.stdout).toEqual([1, 'cancel_not_heeded']);
  expect(errorOf(paused).message).toContain('withdrawn: nothing has changed');
  expect(errorOf(canceled).message).toContain('withdrawn: nothing is cancelled');
  expect(['LIMITS', 'CANCEL'].filter((name) => existsSync(join(path, name)))).toEqual([]);

  process.kill(record.pid, 'SIGCONT');
  const again = await call('pause', '--reason', 'in time');
  expect(again.code, again.stdout).toBe(0);
  expect(entriesOf(path, 'pause').map(({ reason }) => reason)).toEqual(['in time']);
  expect(entriesOf(path, 'record').filter(({ name }) => name === 'canceled-by-hand')).toEqual([]);
  expect((await bot.signal('SIGTERM')).code).toBe(0);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-order-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is either taken or withdrawn, and never an order of another', () => {
  const file = join(folder, 'LIMITS');
  expect(postOrder(file, { id: 'a' })).toBe(true);
  expect(postOrder(file, { id: 'b' })).toBe(false);
  expect(withdrawOrder(file, 'b')).toBe(false);
  expect(takeOrder(file)).toEqual({ content: { id: 'a' } });
  expect(withdrawOrder(file, 'a')).toBe(false);
  expect(postOrder(file, { id: 'b' })).toBe(true);
  expect(withdrawOrder(file, 'b')).toBe(true);
  expect(takeOrder(file)).toBeUndefined();
});
