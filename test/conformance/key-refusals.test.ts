/** The eleven REST refusals of API keys, by their exact text, and the order in which they are tried. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { hmac, keyHeaders, send, signed, totp, type KeyPair, type RawReply } from './raw-client.ts';
import { witness } from './sightings.ts';

const ME = '/api/v1/auth/me';
const ORDER = '/api/v2/exchange/client/order/spot';
const CREATE_KEY = '/api/v1/identity/client/api-key/create';

let running: RunningSandbox;
let base: string;
let full: KeyPair;
let token: string;

beforeAll(async () => {
  running = await startSandbox({ clock: systemClock, seed: 7, market: 'none' });
  base = running.restUrl;
  full = running.users[0]!.apiKey;
  token = await login();
});
afterAll(() => running.stop());

function secondFactor(): string {
  return totp(running.users[0]!.auth2faSecret, running.sandbox.now());
}

async function login(): Promise<string> {
  const { login: name, password } = running.users[0]!;
  const body = JSON.stringify({ login: name, password, auth2fa_code: secondFactor() });
  const reply = await send(base, 'POST', '/api/v1/auth/login', {}, body);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ token: expect.any(String), expiresAt: expect.any(Number) });
  return (reply.json as { token: string }).token;
}

async function createKey(permissions: object, ipAddresses?: readonly string[]): Promise<RawReply> {
  const rows = Object.entries(permissions).map(([category, accessLevel]) => ({ category, accessLevel }));
  const body = JSON.stringify({
    name: 'test',
    auth2fa_code: secondFactor(),
    permissions: rows,
    ...(ipAddresses === undefined ? {} : { ipAddresses }),
  });
  return send(base, 'POST', CREATE_KEY, { Authorization: `Bearer ${token}` }, body);
}

async function newKey(permissions: object, ipAddresses?: readonly string[]): Promise<KeyPair> {
  const reply = await createKey(permissions, ipAddresses);
  expect(reply.status).toBe(200);
  return reply.json as KeyPair;
}

async function deleteKey(publicKey: string): Promise<RawReply> {
  const body = JSON.stringify({ auth2fa_code: secondFactor() });
  return send(
    base,
    'DELETE',
    `/api/v1/identity/client/api-key/${publicKey}`,
    { Authorization: `Bearer ${token}` },
    body,
  );
}

function expectRefusal(reply: RawReply, text: string): void {
  expect([reply.status, reply.text]).toEqual([401, text]);
}

describe('API key refusals over REST', () => {
  it('accepts a correct request', async () => {
    const reply = await signed(base, full, 'GET', ME);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      userId: expect.any(String),
      login: running.users[0]!.login,
      username: expect.any(String),
    });
  });

  it('missing X-API-Timestamp or X-API-Signature', async () => {
    const {
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
      'X-API-Key': key,
    } = keyHeaders(full, 'GET', ME);
    expectRefusal(
      await send(base, 'GET', ME, { 'X-API-Key': key!, 'X-API-Signature': signature! }),
      'missing X-API-Timestamp or X-API-Signature',
    );
    expectRefusal(
      await send(base, 'GET', ME, { 'X-API-Key': 'short', 'X-API-Timestamp': timestamp! }),
      'missing X-API-Timestamp or X-API-Signature',
    );
  });

  it('invalid API key format', async () => {
    const headers = {
      ...keyHeaders(full, 'GET', ME, '', 'not a number'),
      'X-API-Key': `${full.publicKey.slice(0, 63)}g`,
    };
    expectRefusal(await send(base, 'GET', ME, headers), 'invalid API key format');
  });

  it('invalid timestamp format', async () => {
    const unknown = { publicKey: 'a'.repeat(64), secretKey: full.secretKey };
    expectRefusal(
      await send(base, 'GET', ME, keyHeaders(unknown, 'GET', ME, '', 'yesterday')),
      'invalid timestamp format',
    );
  });

  it('api key not found', async () => {
    const unknown = { publicKey: 'a'.repeat(64), secretKey: full.secretKey };
    expectRefusal(await send(base, 'GET', ME, keyHeaders(unknown, 'GET', ME, '', '1')), 'api key not found');
  });

  it('api key is not active: deleted and blocked', async () => {
    const deleted = await newKey({ trading_spot: 'full' });
    expect((await deleteKey(deleted.publicKey)).status).toBe(200);
    expectRefusal(await send(base, 'GET', ME, keyHeaders(deleted, 'GET', ME, '', '1')), 'api key is not active');
    const blocked = await newKey({ trading_spot: 'full' });
    running.sandbox.exchange.identity.keys.setBlocked(blocked.publicKey, true);
    expectRefusal(await signed(base, blocked, 'GET', ME), 'api key is not active');
    expect((await deleteKey(blocked.publicKey)).status).toBe(200);
    witness('sandbox/deleted-key');
  });

  it('timestamp expired', async () => {
    for (const offset of [-31_000, 31_000]) {
      const headers = keyHeaders(full, 'GET', ME, '', String(Date.now() + offset));
      expectRefusal(await send(base, 'GET', ME, headers), 'timestamp expired');
    }
    expect((await send(base, 'GET', ME, keyHeaders(full, 'GET', ME, '', String(Date.now() - 28_000)))).status).toBe(
      200,
    );
  });

  it('ip address not in whitelist', async () => {
    const elsewhere = await newKey({ p2p: 'full' }, ['10.1.2.3']);
    expectRefusal(
      await send(base, 'GET', ME, { ...keyHeaders(elsewhere, 'GET', ME), 'X-API-Signature': 'wrong' }),
      'ip address not in whitelist',
    );
    await deleteKey(elsewhere.publicKey);
  });

  it('invalid signature, for each cause that the interface lists', async () => {
    const body = JSON.stringify({ symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' });
    const at = String(Date.now());
    const headers = (message: string, secret: string = full.secretKey): Record<string, string> => ({
      'X-API-Key': full.publicKey,
      'X-API-Timestamp': at,
      'X-API-Signature': hmac(secret, message),
    });
    const causes: readonly [string, Record<string, string>, string, string][] = [
      ['lower-case method', headers(`${at}\npost\n${ORDER}\n${body}`), 'POST', body],
      ['path differs', headers(`${at}\nPOST\n${ORDER}?x=1\n${body}`), 'POST', body],
      ['body differs', headers(`${at}\nPOST\n${ORDER}\n${body} `), 'POST', body],
      ['wrong separator', headers(`${at}\r\nPOST\r\n${ORDER}\r\n${body}`), 'POST', body],
      [
        'secret decoded',
        headers(`${at}\nPOST\n${ORDER}\n${body}`, Buffer.from(full.secretKey, 'hex').toString('latin1')),
        'POST',
        body,
      ],
      ['timestamp differs', headers(`${Number(at) - 1}\nPOST\n${ORDER}\n${body}`), 'POST', body],
    ];
    for (const [cause, wrong, method, sent] of causes) {
      const reply = await send(base, method, ORDER, wrong, sent);
      expect([cause, reply.status, reply.text]).toEqual([cause, 401, 'invalid signature']);
    }
    for (const signedBody of ['', '{}']) {
      expectRefusal(await send(base, 'GET', ME, keyHeaders(full, 'GET', ME, signedBody), '{}'), 'invalid signature');
    }
  });

  it('route not allowed for API key access', async () => {
    const path = '/api/v1/identity/client/api-key/list';
    expectRefusal(await signed(base, full, 'GET', path), 'route not allowed for API key access');
    expectRefusal(await signed(base, full, 'POST', CREATE_KEY, {}), 'route not allowed for API key access');
  });

  it('insufficient permissions for this route', async () => {
    const reader = await newKey({ trading_spot: 'read_only' });
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };
    expectRefusal(await signed(base, reader, 'POST', ORDER, order), 'insufficient permissions for this route');
    expect((await signed(base, reader, 'GET', '/api/v2/exchange/client/order/active')).status).toBe(200);
    expect((await signed(base, reader, 'GET', ME)).status).toBe(200);
    const none = await newKey({});
    expectRefusal(
      await signed(base, none, 'GET', '/api/v2/exchange/client/order/active'),
      'insufficient permissions for this route',
    );
    expect((await signed(base, none, 'GET', '/api/v1/accounting/client/report-account/accounts/overview')).status).toBe(
      200,
    );
    await deleteKey(reader.publicKey);
    await deleteKey(none.publicKey);
    witness('convention/key-refusal-body');
  });

  it('public routes need nothing and ignore bad credentials', async () => {
    expect((await send(base, 'GET', '/api/v2/exchange/public/time', { 'X-API-Key': 'x' })).status).toBe(200);
  });

  it('no credentials at all is 401, a wrong path 404', async () => {
    expect((await send(base, 'GET', ME, {})).status).toBe(401);
    expect((await send(base, 'GET', '/nothing', {})).status).toBe(404);
  });

  it('key creation: second factor first, then whitelist and the limit of ten', async () => {
    const body = JSON.stringify({ auth2fa_code: '000000', permissions: 'nonsense' });
    const wrongCode = await send(base, 'POST', CREATE_KEY, { Authorization: `Bearer ${token}` }, body);
    expect([wrongCode.status, wrongCode.json]).toMatchObject([422, { code: 'two_factor_invalid' }]);
    expect((await createKey({ p2p: 'full' })).json).toMatchObject({ code: 'whitelist_required' });
    expect((await createKey({ nonsense: 'full' })).json).toMatchObject({ code: 'bad_request' });
    const made: KeyPair[] = [];
    for (
      let count = running.sandbox.exchange.identity.keys.activeCount('u1', running.sandbox.now());
      count < 10;
      count++
    ) {
      made.push(await newKey({ trading_spot: 'read_only' }));
    }
    const eleventh = await createKey({ trading_spot: 'read_only' });
    expect([eleventh.status, eleventh.json]).toMatchObject([422, { code: 'too_many_keys' }]);
    for (const key of made) await deleteKey(key.publicKey);
    witness('sandbox/second-factor-first');
  });

  it('api key expired, ninety days on the sandbox clock; a whitelisted key lives on', async () => {
    const bare = await newKey({ trading_spot: 'full' });
    const reply = await send(base, 'POST', '/sandbox/clock', {}, JSON.stringify({ advanceMs: 90 * 86_400_000 }));
    expect(reply.status).toBe(200);
    const { now } = reply.json as { now: number };
    expect(now - Date.now()).toBeGreaterThan(89.9 * 86_400_000);
    expectRefusal(await send(base, 'GET', ME, keyHeaders(bare, 'GET', ME, '', '1')), 'api key expired');
    expect((await send(base, 'GET', ME, keyHeaders(full, 'GET', ME, '', String(now)))).status).toBe(200);
    expect(
      (await send(base, 'GET', '/api/v1/identity/client/api-key/list', { Authorization: `Bearer ${token}` })).status,
    ).toBe(401);
  });
});
