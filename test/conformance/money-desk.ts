/**
 * A sandbox without a market and short names for what the money tests do on it: signed and JWT requests of two users,
 * balances, keys of chosen permissions, the clock. Plain http through `raw-client.ts`.
 */
import { expect } from 'vitest';
import { startSandbox, type ListenOptions, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { keyHeaders, send, totp, type KeyPair, type RawReply } from './raw-client.ts';

export interface Desk {
  readonly running: RunningSandbox;
  readonly alice: KeyPair;
  readonly bob: KeyPair;
  request(key: KeyPair, method: string, path: string, data?: unknown): Promise<RawReply>;
  /** The JSON of a request that must succeed. */
  good<T = Record<string, unknown>>(key: KeyPair, method: string, path: string, data?: unknown): Promise<T>;
  /** Checks status and code of a refusal. */
  refused(status: number, code: string, key: KeyPair, method: string, path: string, data?: unknown): Promise<void>;
  /** With `Authorization: Bearer`. */
  asUser(token: string, method: string, path: string, data?: unknown): Promise<RawReply>;
  login(index: number): Promise<string>;
  /** A key of the user with these permissions; with a whitelist of this machine when asked for. */
  key(index: number, permissions: object, whitelist?: boolean): Promise<KeyPair>;
  secondFactor(index: number): string;
  balance(key: KeyPair, account: string, currency: string): Promise<{ available: number; locked: number }>;
  mint(login: string, account: string, currency: string, amount: string): Promise<void>;
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const OVERVIEW = '/api/v1/accounting/client/report-account/accounts/overview';

interface BalanceRow {
  readonly account: string;
  readonly currency: string;
  readonly available: string;
  readonly locked: string;
}

export async function openDesk(seed: number, options: Partial<ListenOptions> = {}): Promise<Desk> {
  const running = await startSandbox({ clock: systemClock, seed, market: 'none', ...options });
  const base = running.restUrl;
  const user = (index: number): RunningSandbox['users'][number] => running.users[index]!;
  const secondFactor = (index: number): string => totp(user(index).auth2faSecret, running.sandbox.now());
  const request: Desk['request'] = (key, method, path, data) => {
    const body = data === undefined ? '' : JSON.stringify(data);
    return send(base, method, path, keyHeaders(key, method, path, body, String(running.sandbox.now())), body);
  };
  const good = async <T>(key: KeyPair, method: string, path: string, data?: unknown): Promise<T> => {
    const reply = await request(key, method, path, data);
    expect([method, path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([method, path, 200, '']);
    return reply.json as T;
  };
  const asUser: Desk['asUser'] = (token, method, path, data) =>
    send(base, method, path, { Authorization: `Bearer ${token}` }, data === undefined ? '' : JSON.stringify(data));
  const control = async (path: string, data: object): Promise<void> => {
    expect((await send(base, 'POST', `/sandbox/${path}`, {}, JSON.stringify(data))).status).toBe(200);
  };
  const login = async (index: number): Promise<string> => {
    const { login: name, password } = user(index);
    const body = JSON.stringify({ login: name, password, auth2fa_code: secondFactor(index) });
    const reply = await send(base, 'POST', '/api/v1/auth/login', {}, body);
    expect(reply.status).toBe(200);
    return (reply.json as { token: string }).token;
  };
  return {
    running,
    alice: user(0).apiKey,
    bob: user(1).apiKey,
    request,
    good,
    async refused(status, code, key, method, path, data) {
      const reply = await request(key, method, path, data);
      expect([reply.status, reply.json]).toEqual([
        status,
        expect.objectContaining({ code, message: expect.any(String) }),
      ]);
    },
    asUser,
    login,
    async key(index, permissions, whitelist = false) {
      const rows = Object.entries(permissions).map(([category, accessLevel]) => ({ category, accessLevel }));
      const reply = await asUser(await login(index), 'POST', '/api/v1/identity/client/api-key/create', {
        name: 'test',
        auth2fa_code: secondFactor(index),
        permissions: rows,
        ...(whitelist ? { ipAddresses: ['127.0.0.1'] } : {}),
      });
      expect(reply.status).toBe(200);
      return reply.json as KeyPair;
    },
    secondFactor,
    async balance(key, account, currency) {
      const rows = await good<readonly BalanceRow[]>(key, 'GET', OVERVIEW);
      const row = rows.find((each) => each.account === account && each.currency === currency);
      return { available: Number(row?.available ?? 0), locked: Number(row?.locked ?? 0) };
    },
    mint: (name, account, currency, amount) => control('deposit', { login: name, account, currency, amount }),
    advance: (ms) => control('clock', { advanceMs: ms }),
    stop: () => running.stop(),
  };
}
