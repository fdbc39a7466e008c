/** Login tokens and key management over plain http: what a JWT may do, and each of its refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from './money-desk.ts';
import { RawSocket, hmac, send, signed, type KeyPair, type RawReply } from './raw-client.ts';

const LOGIN = '/api/v1/auth/login';
const ME = '/api/v1/auth/me';
const CREATE = '/api/v1/identity/client/api-key/create';
const LIST = '/api/v1/identity/client/api-key/list';
const keyPath = (publicKey: string): string => `/api/v1/identity/client/api-key/${publicKey}`;

let desk: Desk;
let token: string;
beforeAll(async () => {
  desk = await openDesk(36);
  token = await desk.login(0);
});
afterAll(() => desk.stop());

function tryLogin(change: object): Promise<RawReply> {
  const { login, password } = desk.running.users[0]!;
  const body = { login, password, auth2fa_code: desk.secondFactor(0), ...change };
  return send(desk.running.restUrl, 'POST', LOGIN, {}, JSON.stringify(body));
}

function create(change: object = {}): Promise<RawReply> {
  const permissions = [{ category: 'trading_spot', accessLevel: 'read_only' }];
  const body = { name: 'mine', auth2fa_code: desk.secondFactor(0), permissions, ...change };
  return desk.asUser(token, 'POST', CREATE, body);
}

async function created(change: object = {}): Promise<KeyPair> {
  const reply = await create(change);
  expect(reply.status).toBe(200);
  return reply.json as KeyPair;
}

function expectError(reply: RawReply, status: number, code: string): void {
  expect([reply.status, reply.json]).toEqual([status, expect.objectContaining({ code, message: expect.any(String) })]);
}

describe('login', () => {
  it('answers a token that lives an hour and may call everything', async () => {
    const reply = await tryLogin({});
    const { token: fresh, expiresAt } = reply.json as { token: string; expiresAt: number };
    expect(fresh.split('.')).toHaveLength(3);
    expect(Math.abs(expiresAt - desk.running.sandbox.now() - 3_600_000)).toBeLessThan(5000);
    for (const path of [ME, LIST, '/api/v1/code/my', '/api/v2/withdrawals/currencies']) {
      expect([path, (await desk.asUser(fresh, 'GET', path)).status]).toEqual([path, 200]);
    }
  });

  it('refuses a wrong password, an unknown login, a wrong code and missing fields', async () => {
    expectError(await tryLogin({ password: 'wrong' }), 401, 'login_failed');
    expectError(await tryLogin({ login: 'nobody' }), 401, 'login_failed');
    expectError(await tryLogin({ auth2fa_code: '000000' }), 422, 'two_factor_invalid');
    expectError(await tryLogin({ auth2fa_code: null }), 400, 'bad_request');
    expectError(await tryLogin({ login: 5 }), 400, 'bad_request');
  });

  it('refuses requests without a login, with a broken token and with an old one', async () => {
    const base = desk.running.restUrl;
    expectError(await send(base, 'GET', ME, {}), 401, 'unauthorized');
    expectError(await send(base, 'GET', ME, { Authorization: 'Basic abc' }), 401, 'unauthorized');
    for (const broken of ['x', `${token}x`, `${token}.more`, token.split('.').toReversed().join('.')]) {
      expectError(await desk.asUser(broken, 'GET', ME), 401, 'token_invalid');
    }
    const old = await desk.login(0);
    await desk.advance(3_600_000);
    expectError(await desk.asUser(old, 'GET', ME), 401, 'token_expired');
    token = await desk.login(0);
  });
});

describe('key management', () => {
  it('shows the secret once; the list never does', async () => {
    const pair = await created({ name: 'bot', ipAddresses: ['127.0.0.1', '10.0.0.1'] });
    expect(pair).toEqual({
      publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      secretKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const reply = await desk.asUser(token, 'GET', LIST);
    expect(reply.text).not.toContain(pair.secretKey);
    expect(reply.json).toContainEqual({
      publicKey: pair.publicKey,
      name: 'bot',
      permissions: [{ category: 'trading_spot', accessLevel: 'read_only' }],
      ipAddresses: ['127.0.0.1', '10.0.0.1'],
      createdAt: expect.any(Number),
      expiresAt: null,
      status: 'active',
    });
    expect((await desk.asUser(await desk.login(1), 'GET', LIST)).text).not.toContain(pair.publicKey);
  });

  it('checks the second factor before everything else', async () => {
    expectError(await create({ auth2fa_code: '000000', permissions: 'nonsense' }), 422, 'two_factor_invalid');
    expectError(await create({ auth2fa_code: null, name: 7 }), 422, 'two_factor_invalid');
    const body = { auth2fa_code: '000000' };
    expectError(await desk.asUser(token, 'DELETE', keyPath('none'), body), 422, 'two_factor_invalid');
    expectError(await desk.asUser(token, 'DELETE', keyPath('none')), 422, 'two_factor_invalid');
  });

  it('refuses malformed keys, and every category that needs a whitelist without one', async () => {
    for (const change of [
      { name: null },
      { permissions: null },
      { permissions: [{ category: 'everything', accessLevel: 'full' }] },
      { permissions: [{ category: 'transfer', accessLevel: 'half' }] },
      { permissions: ['full', 'none'].map((accessLevel) => ({ category: 'transfer', accessLevel })) },
      { ipAddresses: ['localhost'] },
      { ipAddresses: '127.0.0.1' },
    ]) {
      expectError(await create(change), 400, 'bad_request');
    }
    for (const category of ['fiat_processing', 'crypto_processing', 'p2p']) {
      for (const accessLevel of ['read_only', 'full']) {
        expectError(await create({ permissions: [{ category, accessLevel }] }), 422, 'whitelist_required');
      }
      const { publicKey } = await created({ permissions: [{ category, accessLevel: 'none' }] });
      await desk.asUser(token, 'DELETE', keyPath(publicKey), { auth2fa_code: desk.secondFactor(0) });
    }
  });

  it('deletes at once, for REST and for an open socket, and only own keys', async () => {
    const pair = await created();
    const socket = await RawSocket.open(desk.running.wsUrl);
    const at = { timestamp: desk.running.sandbox.now() };
    const signature = hmac(pair.secretKey, `${at.timestamp}\n${pair.publicKey}`);
    expect(await socket.login(pair, { ...at, signature })).toMatchObject({ success: true });
    expect((await desk.request(pair, 'GET', ME)).status).toBe(200);
    const body = { auth2fa_code: desk.secondFactor(0) };
    const others = await desk.asUser(await desk.login(1), 'DELETE', keyPath(pair.publicKey), {
      auth2fa_code: desk.secondFactor(1),
    });
    expectError(others, 404, 'not_found');
    const reply = await desk.asUser(token, 'DELETE', keyPath(pair.publicKey), body);
    expect([reply.status, reply.json]).toEqual([200, { publicKey: pair.publicKey, status: 'deleted' }]);
    const after = await desk.request(pair, 'GET', ME);
    expect([after.status, after.text]).toEqual([401, 'api key is not active']);
    await socket.closed;
    expectError(await desk.asUser(token, 'DELETE', keyPath(pair.publicKey), body), 404, 'not_found');
  });

  it('counts ten active keys; expired ones do not count', async () => {
    const made: KeyPair[] = [];
    let reply = await create();
    while (reply.status === 200) {
      made.push(reply.json as KeyPair);
      reply = await create();
    }
    expectError(reply, 422, 'too_many_keys');
    const { json } = await desk.asUser(token, 'GET', LIST);
    expect((json as { status: string }[]).filter((key) => key.status === 'active')).toHaveLength(10);
    await desk.advance(90 * 24 * 3_600_000);
    token = await desk.login(0);
    const old = await desk.asUser(token, 'GET', LIST);
    expect(
      (old.json as { publicKey: string; status: string }[]).find((key) => key.publicKey === made[0]?.publicKey),
    ).toMatchObject({
      status: 'expired',
    });
    expect((await create()).status).toBe(200);
  });

  it('is closed to API keys, whatever they may', async () => {
    for (const [method, path] of [
      ['POST', CREATE],
      ['GET', LIST],
      ['DELETE', keyPath('none')],
    ] as const) {
      const reply = await desk.request(desk.bob, method, path, method === 'GET' ? undefined : {});
      expect([reply.status, reply.text]).toEqual([401, 'route not allowed for API key access']);
    }
    expect((await signed(desk.running.restUrl, desk.bob, 'GET', ME)).text).toBe('timestamp expired');
  });
});
