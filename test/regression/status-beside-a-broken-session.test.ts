/** Found by reading: one `session.json` that cannot be read ended `status` with 5, and no session was shown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

interface Status {
  readonly sessions: readonly { readonly id: string; readonly state: string; readonly error?: string }[];
}

it('status/shows-the-others-and-the-broken-one-as-unreadable', async () => {
  const cwd = freshFolder();
  const root = join(cwd, 'data', 'sessions');
  mkdirSync(root, { recursive: true });
  const [whole, cut] = ['aa', 'bb'].map((suffix) =>
    createSession(root, { mode: 'paper', strategies: [], seed: 1, account: 'alice', exchange: 'x', now: 1, suffix }),
  );
  writeFileSync(join(cut?.path ?? '', 'session.json'), '{"version": 1,');
  const told = await run(['status', '--json'], { cwd });
  expect(told.code, told.stderr).toBe(0);
  expect(documentOf<Status>(told).sessions).toMatchObject([
    { id: whole?.record.id },
    { id: cut?.record.id, state: 'unreadable', error: expect.stringContaining('session_unreadable') },
  ]);
  expect((await run(['status'], { cwd })).stdout).toContain('session_unreadable');
});
