/**
 * Found by a stranger: after a stall and after a panic `status` said "6 open" of a session whose orders tidewire itself had
 * cancelled by another connection. What a journal knows of a session that does not run is named with its time.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock } from '../../src/journal/files/lock.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshFolder } from '../e2e/cli.ts';
import { makeRig, START } from '../execution/rig.ts';

/** A session that leaves an order behind: its folder. */
function left(cwd: string, mode: 'live' | 'paper'): string {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const owner = { account: 'alice', exchange: 'http://127.0.0.1:1' };
  const session = { mode, strategies, seed: 1, ...owner, now: START, suffix: 'aaaa' } as const;
  const { path } = createSession(join(cwd, 'data', 'sessions'), session);
  const journal = openJournal(path);
  const { executor, clock } = makeRig({ journal });
  journal.append(START, [{ kind: 'session', event: 'start', boot: 1, bootId: 'b1' }]);
  clock.advance(61_000);
  const order = {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  } as const;
  executor.submit('maker', order);
  journal.close();
  return path;
}

async function shown(cwd: string): Promise<string> {
  const { code, stdout, stderr } = await callCli(['status'], cwd);
  expect(code, stderr).toBe(0);
  return stdout;
}

it('has the time of what is known where no process runs, and none where one does', async () => {
  const cwd = freshFolder();
  const path = left(cwd, 'live');
  expect(await shown(cwd)).toContain('1 open as of 01-05 00:01:01');
  const lock = acquireLock(path);
  expect(await shown(cwd)).toMatch(/1 open {2}/);
  lock.release();
});

it('has none on paper, where nobody else can cancel', async () => {
  const cwd = freshFolder();
  left(cwd, 'paper');
  expect(await shown(cwd)).toMatch(/1 open {2}/);
});
