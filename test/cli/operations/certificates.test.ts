/**
 * With `NODE_TLS_REJECT_UNAUTHORIZED=0` Node takes any certificate, so that anybody on the way can be the exchange (C09):
 * nothing that is signed and no login leaves then, by whatever command. `run` alone refused.
 */
import { once } from 'node:events';
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../../src/session/store/store.ts';
import { callCli, type CliEnd } from '../call-cli.ts';
import { openCliDesk } from '../cli-desk.ts';

const OFF = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
const KEY = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
const LOGIN = { TIDEWIRE_LOGIN: 'alice', TIDEWIRE_PASSWORD: 'a password', TIDEWIRE_2FA_CODE: '123456' };

/** What came to whoever says that it is the exchange: paths. */
let asked: string[];
let server: Server;
let cwd: string;
let session: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cwd = mkdtempSync(join(tmpdir(), 'tidewire-certificates-'));
  writeFileSync(join(cwd, 'c.yaml'), `exchange:\n  baseUrl: ${url}\n  gatewayUrl: ${url}\n  wsUrl: ws://127.0.0.1:1\n`);
  const root = join(cwd, 'data', 'sessions');
  const record = { mode: 'live' as const, strategies: [], seed: 1, account: 'alice', exchange: url, suffix: 'a' };
  session = createSession(root, { ...record, now: 1 }).record.id;
});
afterAll(() => {
  server.close();
  rmSync(cwd, { recursive: true, force: true });
});
afterEach(() => {
  asked = [];
});

function call(command: string, env: Readonly<Record<string, string>>): Promise<CliEnd> {
  asked = [];
  const argv = command.replace('SESSION', session).split(' ');
  return callCli([...argv, '--config', 'c.yaml', '--json'], cwd, { env: { ...OFF, ...env } });
}

describe('a certificate check that is switched off is refused before anything leaves', () => {
  it.each([
    'account me',
    'transfer make funding unified-trading USDT 1 --yes',
    'wallet networks',
    'codes my',
    'fiat list',
    'overdraft loan',
    'futures positions',
    'p2p ads',
    'money list',
    'plan SESSION',
    'reconcile SESSION',
    'watchdog SESSION',
    'record --symbols BTCUSDT --for 1s',
  ])('by %s with a key', async (command) => {
    const { code, stdout, stderr } = await call(command, KEY);
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: expect.stringContaining('"live_uncertified"') });
    expect(asked).toEqual([]);
  });

  it.each(['account me', 'keys list', 'p2p watch --for 1s'])('by %s with a login', async (command) => {
    const { code, stdout, stderr } = await call(command, LOGIN);
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: expect.stringContaining('"live_uncertified"') });
    expect(asked).toEqual([]);
  });

  it('by doctor, which says it as a check that failed', async () => {
    const { code, stdout } = await call('doctor', KEY);
    const { checks } = JSON.parse(stdout) as { checks: readonly { readonly name: string; readonly state: string }[] };
    expect(code).toBe(1);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'exchange', state: 'fail', text: expect.stringContaining('NODE_TLS_REJECT') }),
    );
    expect(asked).toEqual([]);
  });
});

it('lets public data be read, which nothing is signed for', async () => {
  expect((await call('record --symbols BTCUSDT --for 1s', {})).code).toBe(4);
  expect(asked.length).toBeGreaterThan(0);
});

it('does not stop a panic, which warns', async () => {
  const desk = await openCliDesk(3);
  try {
    const { code, stdout, stderr } = await desk.call('alice', ['panic', '--json'], { env: OFF });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ openAfter: 0, problems: [] });
    expect(stderr).toContain('warn NODE_TLS_REJECT_UNAUTHORIZED=0');
  } finally {
    await desk.stop();
  }
});
