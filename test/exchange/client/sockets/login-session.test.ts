/** Login tokens in the client: where they go, when they are used, and that nothing prints them. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../../src/exchange/client/credentials.ts';
import { createHttpClient, type HttpClient } from '../../../../src/exchange/client/http.ts';
import { createHttpTransports } from '../../../../src/exchange/client/http-transport.ts';
import { LoginSession } from '../../../../src/exchange/client/sockets/login-session.ts';
import { RequestBudget } from '../../../../src/exchange/client/request-budget.ts';
import { createEndpointTable } from '../../../../src/exchange/interface/endpoints.ts';
import { silentLogger } from '../../../../src/model/ports.ts';
import { realClock } from '../../clocks.ts';
import { until } from '../../waiting.ts';
import { json, startServer, type TestServer } from '../http-server.ts';

let main: TestServer;
let gateway: TestServer;
let now = 1_700_000_000_000;
let login: LoginSession;
const open: HttpClient[] = [];

beforeEach(async () => {
  now = 1_700_000_000_000;
  [main, gateway] = await Promise.all([startServer(), startServer()]);
  login = new LoginSession(() => now);
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await Promise.all([main.close(), gateway.close()]);
});

function clientOf(withKey: boolean): HttpClient {
  const client = createHttpClient({
    clock: realClock,
    exchangeNow: () => now,
    transports: createHttpTransports(realClock),
    endpoints: createEndpointTable(),
    budget: new RequestBudget(realClock, { requestsPerSecond: 1000, ordersPerSecond: 1000 }),
    baseUrl: main.url,
    gatewayUrl: gateway.url,
    credentials: withKey ? createCredentials('ab'.repeat(32), 'cd'.repeat(32)) : null,
    login,
    logger: silentLogger,
  });
  open.push(client);
  return client;
}

describe('a login', () => {
  it('is used at the main host for what is closed to keys, the key at the gateway for the rest', async () => {
    const client = clientOf(true);
    login.set({ token: 'a.b.c', expiresAt: now + 60_000 });
    await client.read({ endpoint: 'apiKeys', lane: 'reconcile' });
    await client.read({ endpoint: 'balances', lane: 'reconcile' });
    expect(main.seen).toHaveLength(1);
    expect(main.seen[0]?.headers).toMatchObject({ authorization: 'Bearer a.b.c' });
    expect(main.seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(gateway.seen).toHaveLength(1);
    expect(gateway.seen[0]?.headers).toHaveProperty('x-api-signature');
    expect(gateway.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('serves private reads without a key, never orders', async () => {
    const client = clientOf(false);
    login.set({ token: 't', expiresAt: now + 60_000 });
    expect(await client.read({ endpoint: 'balances', lane: 'reconcile' })).toMatchObject({ kind: 'ok' });
    expect(main.seen[0]?.headers.authorization).toBe('Bearer t');
    expect(await client.read({ endpoint: 'createSpotOrder', lane: 'create', body: {} })).toEqual({
      kind: 'not-sent',
      reason: 'createSpotOrder needs an API key and there is none',
    });
    expect(main.seen).toHaveLength(1);
  });

  it('that is over, or about to be, is not sent', async () => {
    const client = clientOf(false);
    for (const expiresAt of [now - 1, now + 1000]) {
      login.set({ token: 't', expiresAt });
      expect(await client.read({ endpoint: 'balances', lane: 'reconcile' })).toMatchObject({ kind: 'not-sent' });
    }
    login.set({ token: 't', expiresAt: now + 60_000 });
    login.clear();
    expect(await client.read({ endpoint: 'balances', lane: 'reconcile' })).toMatchObject({ kind: 'not-sent' });
    expect(main.seen).toEqual([]);
  });

  it('that ends while a request waits is not sent, and the last check is not asked', async () => {
    const client = clientOf(false);
    login.set({ token: 't', expiresAt: now + 60_000 });
    const releases: (() => void)[] = [];
    main.handle = (_request, response) => void releases.push(() => json(response, 200, {}));
    let asked = 0;
    const call = (): ReturnType<HttpClient['read']> =>
      client.read({
        endpoint: 'balances',
        lane: 'history',
        onDispatch: () => {
          asked++;
          return 'go';
        },
      });
    const waiting = Array.from({ length: 3 }, call);
    const late = call();
    await until(() => main.seen.length === 3, 'three requests under way');
    now += 60_000;
    for (const release of releases) release();
    expect(await late).toMatchObject({ kind: 'not-sent', reason: expect.stringContaining('a login') });
    expect(asked).toBe(3);
    for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ kind: 'ok' });
  });

  it('is printed by nothing', () => {
    login.set({ token: 'very-secret', expiresAt: now + 60_000 });
    expect(`${inspect(login, { depth: 9, showHidden: true })} ${JSON.stringify(login)}`).not.toContain('very-secret');
  });
});

describe('refusals of a login', () => {
  it.each([
    [401, 'unauthorized', 'refused'],
    [401, 'token_invalid', 'refused'],
    [401, 'token_expired', 'refused'],
    [401, 'login_failed', 'refused'],
    [501, 'not_available', 'refused'],
    [401, 'something_else', 'unknown'],
    [501, 'insufficient_balance', 'unknown'],
    [503, 'not_available', 'unknown'],
    [403, 'token_expired', 'unknown'],
  ])('status %i with %s is %s, and never one of the key', async (status, code, kind) => {
    const client = clientOf(true);
    gateway.handle = (_request, response) => json(response, status, { code, message: 'no' });
    const result = await client.read({ endpoint: 'transfer', lane: 'reconcile', body: {} });
    expect(result).toMatchObject(kind === 'refused' ? { kind, code, status, ofKey: false } : { kind });
    expect(client.keyRefused).toBeNull();
  });
});
