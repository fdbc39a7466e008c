/**
 * Found by real processes on a faulty network: a second instance asked the exchange for its instruments and its account
 * before it looked whether another one runs, so it was refused as late as the exchange answered, or ended as if the
 * exchange were the reason (4). A start on a disk that cannot be written was silent as long, and then asked for a bug report.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdAccount } from '../../src/session/store/account-lock.ts';
import { errorOf, freshFolder, run, strategyFile } from '../e2e/cli.ts';

/** Nobody listens there. */
const EXCHANGE = 'http://127.0.0.1:9';
const KEYS = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };

function started(cwd: string, journalDir: string): ReturnType<typeof run> {
  const config = join(cwd, 'c.yaml');
  const addresses = `baseUrl: ${EXCHANGE}, gatewayUrl: ${EXCHANGE}, wsUrl: ws://127.0.0.1:9`;
  writeFileSync(config, `exchange: { ${addresses} }\njournal: { dir: ${journalDir} }\n`);
  const args = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', 'alice', '--json'];
  return run(args, { cwd, env: KEYS });
}

it('is refused before a request, also while the first has no session yet', async () => {
  const cwd = freshFolder();
  const sessions = join(cwd, 'sessions');
  const first = holdAccount({ account: 'alice', exchange: EXCHANGE });
  const second = await started(cwd, sessions);
  expect(second.code, second.stderr).toBe(3);
  expect(errorOf(second).code).toBe('session_running');
  first.release();
  // Alone it comes as far as its first request.
  const alone = await started(cwd, sessions);
  expect(errorOf(alone).code, alone.stderr).toBe('exchange_unreachable');
});

it('is refused by another address of the exchange, too, when it has the same key', async () => {
  const cwd = freshFolder();
  const sessions = join(cwd, 'sessions');
  const publicKey = KEYS.TIDEWIRE_API_KEY;
  const first = holdAccount({ account: 'alice', exchange: 'http://localhost:9', publicKey });
  const second = await started(cwd, sessions);
  expect([second.code, errorOf(second).code]).toEqual([3, 'session_running']);
  first.release();
  // It let go of the account's own lock.
  holdAccount({ account: 'alice', exchange: EXCHANGE, publicKey }).release();
  const other = holdAccount({ account: 'alice', exchange: EXCHANGE, publicKey: 'another' });
  expect(() => holdAccount({ account: 'alice', exchange: EXCHANGE, publicKey })).toThrow(
    expect.objectContaining({ code: 'session_running' }),
  );
  other.release();
});

it('is refused by name before a request where nothing can be written', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'file'), '');
  const { code, stdout, stderr } = await started(cwd, join(cwd, 'file', 'sessions'));
  expect(code, stderr).toBe(1);
  expect(stdout).toContain('"not_writable"');
  expect(stdout).toContain(join(cwd, 'file', 'sessions'));
});
