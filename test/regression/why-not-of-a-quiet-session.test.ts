/** `why-not SYMBOL@now` found no session while a quiet one ran, as only a later row counted. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock } from '../../src/journal/files/lock.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';

interface Answer {
  readonly session: string;
  readonly because: readonly string[];
}

const MINUTE_MS = 60_000;
const STILL_RAN = 'whether the process still ran';

it('why-not/now/answers-of-the-session-that-runs', async () => {
  const cwd = freshFolder();
  const strategies = [{ name: 'quiet', tag: 'quiet', file: 'quiet.ts', params: {} }];
  const of = { mode: 'paper', strategies, seed: 1, account: 'paper', exchange: 'venue' } as const;
  const now = Date.now();
  const startedAt = now - 10 * MINUTE_MS;
  const { path, record } = createSession(join(cwd, 'data', 'sessions'), { ...of, now: startedAt, suffix: 'aaaa' });
  const journal = openJournal(path);
  journal.append(startedAt, [{ kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: {} }]);
  journal.close();
  const ask = (atMs: number, ...more: readonly string[]) =>
    run(['why-not', `BTCUSDT@${atMs}`, ...more, '--json'], { cwd });

  const lock = acquireLock(path);
  const ended = await ask(now);
  expect(ended.code, ended.stdout).toBe(0);
  const { session, because } = documentOf<Answer>(ended);
  expect(session).toBe(record.id);
  expect(because.join('\n')).toContain('No strategy decided anything about BTCUSDT then');
  expect(because.join('\n')).not.toContain(STILL_RAN);
  expect(errorOf(await ask(startedAt - MINUTE_MS)).code).toBe('moment_not_covered');
  expect(errorOf(await ask(now + 60 * MINUTE_MS)).code).toBe('moment_not_covered');
  lock.release();

  expect(errorOf(await ask(now)).code).toBe('moment_not_covered');
  expect(documentOf<Answer>(await ask(now, '--session', record.id)).because.join('\n')).toContain(STILL_RAN);
});
