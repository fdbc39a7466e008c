/**
 * Found by a stranger: `plan` and `reconcile --dry-run` ended with 0 on a journal whose row was edited, since the copy that they
 * compare was made without its hash chain.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { copied } from '../../src/session/healing/healing.ts';
import { createSession } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { errorOf, freshFolder } from '../e2e/cli.ts';

const URL = 'https://exchange.test';

/** A live session of 1,200 rows: a start checks the last 1,000. */
function session(edited: number | null): { readonly cwd: string; readonly path: string } {
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 'c.yaml'),
    `exchange:\n  baseUrl: ${URL}\n  gatewayUrl: ${URL}\n  wsUrl: wss://exchange.test\n`,
  );
  const root = join(cwd, 'data', 'sessions');
  const { path } = createSession(root, {
    mode: 'live',
    strategies: [],
    seed: 1,
    account: 'alice',
    exchange: URL,
    now: 1,
    suffix: 'aa',
  });
  const store = openJournal(path);
  store.append(
    1,
    Array.from({ length: 1_200 }, () => ({ kind: 'note', strategy: 'maker', text: 'quantity 0.001' }) as const),
  );
  store.close();
  const db = new Database(join(path, JOURNAL_FILE));
  if (edited !== null)
    db.prepare(`UPDATE journal SET body = replace(body, '0.001', '0.002') WHERE seq = ?`).run(edited);
  db.close();
  return { cwd, path };
}

describe('a journal whose row was edited', () => {
  it.each(['plan', 'plan --yes', 'reconcile --dry-run', 'reconcile'])('ends %s with 5', async (command) => {
    const { cwd } = session(7);
    const { code, stdout, stderr } = await callCli([...command.split(' '), '--config', 'c.yaml', '--json'], cwd);
    expect(code, stderr).toBe(5);
    const error = errorOf({ code, signal: null, stdout, stderr });
    expect(error).toMatchObject({ code: 'journal_corrupt', message: expect.stringContaining('row 7 was changed') });
  });

  it('is not copied', () => {
    expect(() => copied(session(1_200).path)).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
    const whole = copied(session(null).path);
    expect(whole.lastSeq).toBe(1_200);
  });
});

it('a whole journal gets as far as the key', async () => {
  const { cwd } = session(null);
  const { code, stdout, stderr } = await callCli(['plan', '--config', 'c.yaml', '--json'], cwd);
  expect(errorOf({ code, signal: null, stdout, stderr }).code).toBe('no_api_key');
});
