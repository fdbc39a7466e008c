/**
 * Found by strangers: `plan` and `reconcile` without `--config` spoke of an exchange `sandbox` that nobody had named, and
 * sent people to `status`. They name the exchange of the session that is there, and `--config FILE`.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSession, type SessionFolder } from '../../src/session/store/store.ts';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';

const EXCHANGE = 'http://127.0.0.1:9';

function liveSession(cwd: string): SessionFolder {
  return createSession(join(cwd, 'data', 'sessions'), {
    mode: 'live',
    strategies: [],
    seed: 1,
    account: 'alice',
    exchange: EXCHANGE,
    now: Date.now(),
    suffix: 'aa',
  });
}

it.each(['plan', 'reconcile'])('%s/configuration/is-asked-for-where-it-is-another', async (command) => {
  const cwd = freshFolder();
  const { path, record } = liveSession(cwd);
  for (const named of [[], [record.id], [path]]) {
    const ended = await run([command, ...named, '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(2);
    const { code, message } = errorOf(ended);
    expect(code).toBe('session_not_found');
    expect(message).toContain(record.id);
    expect(message).toContain(EXCHANGE);
    expect(message).toMatch(/--config FILE$/);
  }
});

it.each(['plan', 'reconcile'])('%s/configuration/is-asked-for-where-no-session-is', async (command) => {
  const cwd = freshFolder();
  const none = errorOf(await run([command, '--json'], { cwd }));
  expect(none.message).toMatch(/--config FILE$/);
  const unknown = errorOf(await run([command, 'live-maker-1', '--json'], { cwd }));
  expect(unknown).toMatchObject({
    code: 'session_not_found',
    hint: expect.stringContaining('--config FILE') as string,
  });
});
