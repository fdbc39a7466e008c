import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallResult } from '../../../src/exchange/client/classify.ts';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createHttpClient, type HttpCall, type HttpClient } from '../../../src/exchange/client/http.ts';
import { createHttpTransports, type HttpTransports } from '../../../src/exchange/client/http-transport.ts';
import { RequestBudget } from '../../../src/exchange/client/request-budget.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';
import { keyRefusals } from '../../../src/exchange/interface/refusals.ts';
import { signRest } from '../../../src/exchange/interface/signature.ts';
import { denied } from '../../../src/model/trading/deny-reason.ts';
import { silentLogger, type Clock, type HttpResult, type PreparedRequest } from '../../../src/model/ports.ts';
import { ManualClock, realClock } from '../clocks.ts';
import { until } from '../waiting.ts';
import { json, startServer, text, type TestServer } from './http-server.ts';

const PUBLIC = 'ab'.repeat(32);
const SECRET = 'cd'.repeat(32);

interface Setup {
  readonly clock?: Clock;
  readonly transports?: HttpTransports;
  readonly base?: string;
  readonly budget?: RequestBudget;
}

let server: TestServer;
const open: HttpClient[] = [];

beforeEach(async () => {
  server = await startServer();
});

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await server.close();
});

function clientOf(setup: Setup = {}): HttpClient {
  const clock = setup.clock ?? realClock;
  const base = setup.base ?? server.url;
  const client = createHttpClient({
    clock,
    exchangeNow: () => clock.now(),
    transports: setup.transports ?? createHttpTransports(clock),
    endpoints: createEndpointTable(),
    budget: setup.budget ?? new RequestBudget(clock, { requestsPerSecond: 1000, ordersPerSecond: 1000 }),
    baseUrl: base,
    gatewayUrl: base,
    credentials: createCredentials(PUBLIC, SECRET),
    logger: silentLogger,
  });
  open.push(client);
  return client;
}

const create: HttpCall = { endpoint: 'createSpotOrder', lane: 'create', body: { symbol: 'BTCUSDT', price: '1' } };

describe('signing', () => {
  it('sends what it signed: headers, path with query, body byte for byte', async () => {
    const client = clientOf();
    await client.read({ ...create, query: { note: "a b/ü'+", limit: 5, none: undefined } });
    const [request] = server.seen;
    expect(request?.path).toBe('/api/v2/exchange/client/order/spot?note=a%20b%2F%C3%BC%27%2B&limit=5');
    const timestamp = String(request?.headers['x-api-timestamp']);
    expect(Math.abs(Number(timestamp) - Date.now())).toBeLessThan(5000);
    const message = `${timestamp}\nPOST\n${request?.path}\n${request?.body}`;
    expect(request?.headers['x-api-signature']).toBe(createHmac('sha256', SECRET).update(message).digest('hex'));
    expect(request?.headers['x-api-key']).toBe(PUBLIC);
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.body).toBe('{"symbol":"BTCUSDT","price":"1"}');
  });

  it('sends no body and no key with a public GET', async () => {
    await clientOf().read({ endpoint: 'ticker', lane: 'public' });
    expect(server.seen[0]).toMatchObject({ method: 'GET', body: '' });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(server.seen[0]?.headers).not.toHaveProperty('content-length');
  });

  it('signs after onDispatch, at the time of the dispatch', async () => {
    const stamps: number[] = [];
    const client = clientOf();
    await client.read({
      ...create,
      onDispatch: () => {
        stamps.push(Date.now());
        return 'go';
      },
    });
    expect(Number(server.seen[0]?.headers['x-api-timestamp'])).toBeGreaterThanOrEqual(stamps[0] ?? Number.NaN);
  });

  it('never calls an operation that is closed to API keys', async () => {
    const result = await clientOf().read({ endpoint: 'createApiKey', lane: 'create', body: {} });
    expect(result.kind).toBe('not-sent');
    expect(server.seen).toHaveLength(0);
  });
});

describe('the three outcomes of a mutating call', () => {
  async function answered(handle: TestServer['handle']): Promise<CallResult> {
    server.handle = handle;
    return clientOf().read(create);
  }

  it('is ok with parsed JSON', async () => {
    expect(await answered((_request, response) => json(response, 201, { orderId: '1' }))).toEqual({
      kind: 'ok',
      json: { orderId: '1' },
    });
  });

  it.each(keyRefusals.map(({ text: body, code }) => [body, code]))('is refused by 401 "%s"', async (body, code) => {
    expect(await answered((_request, response) => text(response, 401, body))).toMatchObject({
      kind: 'refused',
      code,
      ofKey: true,
    });
  });

  it('is refused by a known business code', async () => {
    const body = { code: 'off_tick', message: 'price 1.001', field: 'price' };
    expect(await answered((_request, response) => json(response, 422, body))).toEqual({
      kind: 'refused',
      status: 422,
      code: 'off_tick',
      message: 'price 1.001',
      field: 'price',
      ofKey: false,
    });
  });

  it.each([
    [200, '<html>Just a moment…</html>'],
    [200, ''],
    [200, '{"orderId": "1"'],
    [302, ''],
    [401, 'Unauthorized'],
    [400, '{"code":"something_new"}'],
    [404, '{"code":"not_found"}'],
    [404, 'no route'],
    [421, ''],
    [429, '{"code":"insufficient_balance"}'],
    [500, '{"code":"insufficient_balance"}'],
    [503, 'api key expired'],
    [520, ''],
  ])('is unknown after %i %j', async (status, body) => {
    expect(await answered((_request, response) => text(response, status, body))).toMatchObject({
      kind: 'unknown',
      status,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is unknown when the connection is cut before, inside and instead of the answer', async () => {
    expect(await answered((_request, response) => void response.destroy())).toMatchObject({
      kind: 'unknown',
      status: null,
    });
    const cut = await answered((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"orderId":');
      setImmediate(() => response.destroy());
    });
    expect(cut.kind).toBe('unknown');
    expect(server.seen).toHaveLength(2);
  });

  it('does not follow a redirect and does not send again', async () => {
    const result = await answered((_request, response) => {
      response.writeHead(307, { location: `${server.url}/elsewhere` });
      response.end();
    });
    expect(result.kind).toBe('unknown');
    expect(server.seen.map((request) => request.path)).toEqual(['/api/v2/exchange/client/order/spot']);
  });

  it('is not-sent when nothing listens', async () => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    expect(await clientOf({ base: `http://127.0.0.1:${port}` }).read(create)).toMatchObject({ kind: 'not-sent' });
  });

  it('is not-sent when the name does not resolve', async () => {
    expect(await clientOf({ base: 'http://tidewire-no-such-host.invalid' }).read(create)).toMatchObject({
      kind: 'not-sent',
    });
  });

  it('is unknown at the deadline, measured by the clock port, also while the body is still coming', async () => {
    for (const headersFirst of [false, true]) {
      const clock = new ManualClock();
      const client = clientOf({ clock });
      let arrived = false;
      server.handle = (_request, response) => {
        if (headersFirst) {
          response.writeHead(200);
          response.write('{');
        }
        arrived = true;
      };
      const results: CallResult[] = [];
      client.call(create, (result) => results.push(result));
      await until(() => arrived, 'the request arrives');
      clock.advance(5999);
      expect(results).toEqual([]);
      clock.advance(1);
      await until(() => results.length > 0, 'the deadline ends the call');
      expect(results).toEqual([{ kind: 'unknown', status: null, reason: 'no whole answer within 6000 ms' }]);
    }
  });
});

/** Transports that hold every request until the test answers it. */
class HeldTransports {
  readonly held: { readonly request: PreparedRequest; readonly done: (result: HttpResult) => void }[] = [];
  readonly all: HttpTransports;

  constructor() {
    const transport = {
      request: (request: PreparedRequest, _deadlineMs: number, done: (result: HttpResult) => void) => {
        this.held.push({ request, done });
      },
      close: () => Promise.resolve(),
    };
    this.all = { orders: transport, reconcile: transport, public: transport };
  }

  answer(status = 200, headers: Record<string, string> = {}): void {
    this.held.shift()?.done({ kind: 'response', status, headers, body: '{}' });
  }
}

describe('lanes and budget', () => {
  it('lets the urgent overtake the waiting, and sends each lane in order', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const budget = new RequestBudget(clock, { requestsPerSecond: 100, ordersPerSecond: 2 });
    const client = clientOf({ clock, transports: transports.all, budget });
    for (const orderId of ['c1', 'c2', 'c3', 'c4'])
      client.call({ endpoint: 'cancelOrder', lane: 'cancel', params: { orderId } }, () => {});
    client.call({ endpoint: 'cancelOrder', lane: 'kill', params: { orderId: 'k' } }, () => {});
    clock.advance(5000);
    expect(transports.held.map(({ request }) => request.url.split('/').at(-1))).toEqual(['c1', 'c2', 'k', 'c3', 'c4']);
  });

  it('lets no order wait behind pages, and pages behind everything', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const budget = new RequestBudget(clock, { requestsPerSecond: 10, ordersPerSecond: 10 });
    const client = clientOf({ clock, transports: transports.all, budget });
    const names = (): readonly string[] =>
      transports.held.map(({ request }) => new URL(request.url).pathname.split('/').at(-1) ?? '');
    for (let count = 0; count < 20; count++) client.call({ endpoint: 'ticker', lane: 'page' }, () => {});
    expect(names()).toEqual(['ticker']);
    for (let count = 0; count < 3; count++) client.call(create, () => {});
    client.call({ endpoint: 'balances', lane: 'reconcile' }, () => {});
    expect(names()).toEqual(['ticker', 'spot', 'spot', 'spot', 'overview']);
    // Half a second later the bucket is full again; two connections stay free for what is more urgent.
    clock.advance(500);
    expect(names().filter((name) => name === 'ticker')).toHaveLength(1);
    transports.answer();
    expect(names()).toEqual(['spot', 'spot', 'spot', 'overview', 'ticker']);
  });

  it('keeps connections free for cancels while creates are stuck', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    for (let count = 0; count < 10; count++) client.call(create, () => {});
    expect(transports.held).toHaveLength(6);
    client.call({ endpoint: 'cancelOrder', lane: 'cancel', params: { orderId: 'x' } }, () => {});
    expect(transports.held).toHaveLength(7);
    transports.answer();
    expect(transports.held).toHaveLength(6);
    transports.answer();
    expect(client.pending).toBeGreaterThan(0);
  });

  it('ends what waits too long as not-sent, and calls back once each', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    const results: CallResult[] = [];
    for (let count = 0; count < 8; count++) client.call(create, (result) => results.push(result));
    clock.advance(5000);
    expect(results).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'not-sent', reason: 'waited 5000 ms in lane create' })),
    );
    while (transports.held.length > 0) transports.answer();
    expect(results).toHaveLength(8);
    expect(client.pending).toBe(0);
  });

  it('stops a denied request before its bytes, after the call has returned, and spends nothing', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const budget = new RequestBudget(clock, { requestsPerSecond: 2, ordersPerSecond: 2 });
    const client = clientOf({ clock, transports: transports.all, budget });
    const verdict = denied('killed', 'the kill switch is on');
    const results: CallResult[] = [];
    for (let count = 0; count < 10; count++)
      client.call({ ...create, onDispatch: () => verdict }, (result) => results.push(result));
    expect(results).toEqual([]);
    clock.advance(0);
    expect(results).toEqual(Array.from({ length: 10 }, () => ({ kind: 'denied', denied: verdict })));
    expect(transports.held).toEqual([]);
  });

  it('treats a check that throws as not-sent', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    const results: CallResult[] = [];
    const onDispatch = (): never => {
      throw new Error('disk full');
    };
    client.call({ ...create, onDispatch }, (result) => results.push(result));
    clock.advance(0);
    expect(results).toMatchObject([{ kind: 'not-sent', reason: expect.stringContaining('disk full') }]);
    expect(transports.held).toEqual([]);
  });

  it('pauses after 429 for as long as Retry-After says', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    const results: CallResult[] = [];
    client.call(create, (result) => results.push(result));
    transports.answer(429, { 'retry-after': '3' });
    expect(results).toMatchObject([{ kind: 'unknown', status: 429 }]);
    client.call({ endpoint: 'time', lane: 'public' }, () => {});
    clock.advance(2999);
    expect(transports.held).toEqual([]);
    clock.advance(1);
    expect(transports.held).toHaveLength(1);
  });

  it('probes a long pause once a minute, and ends it by what is carried out alone', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    const ask = (): void => client.call({ endpoint: 'time', lane: 'public' }, () => {});
    ask();
    transports.answer(429, { 'retry-after': '86400' });
    const probe = (): void => {
      clock.advance(59_999);
      ask();
      clock.advance(0);
      expect(transports.held).toEqual([]);
      clock.advance(1);
      expect(transports.held).toHaveLength(1);
    };
    probe();
    // An answer of what stands before the exchange says nothing of its limits.
    transports.answer(503);
    probe();
    transports.held.shift()?.done({ kind: 'response', status: 200, headers: {}, body: '{"serverTime":1}' });
    ask();
    clock.advance(0);
    expect(transports.held).toHaveLength(1);
  });

  it('holds a bounded queue', () => {
    const clock = new ManualClock();
    const client = clientOf({ clock, transports: new HeldTransports().all });
    const results: CallResult[] = [];
    for (let count = 0; count < 6 + 512 + 3; count++) client.call(create, (result) => results.push(result));
    clock.advance(0);
    expect(results).toHaveLength(3);
    expect(results[0]).toMatchObject({ kind: 'not-sent', reason: '512 requests wait in lane create already' });
  });

  it('remembers that the key is refused until it is taken again', () => {
    const clock = new ManualClock();
    const transports = new HeldTransports();
    const client = clientOf({ clock, transports: transports.all });
    client.call(create, () => {});
    transports.held.shift()?.done({ kind: 'response', status: 401, headers: {}, body: 'api key expired' });
    expect(client.keyRefused).toBe('api key expired');
    client.call(create, () => {});
    transports.answer();
    expect(client.keyRefused).toBeNull();
  });
});

describe('credentials', () => {
  it('take a secret of any usual length: the interface gives that of the public key alone', () => {
    const secret = 'cd'.repeat(64);
    const credentials = createCredentials(PUBLIC, secret);
    const signed = createHmac('sha256', secret).update('1\nGET\n/\n').digest('hex');
    expect(signRest(credentials.secret, '1', 'GET', '/', '')).toBe(signed);
    expect(() => createCredentials(PUBLIC, 'cd'.repeat(15))).toThrow(/hexadecimal/);
  });

  it('are refused when malformed, without showing them', () => {
    expect(() => createCredentials('ab'.repeat(31), 'cd'.repeat(32))).toThrow(/64 hexadecimal/);
    expect(() => createCredentials(PUBLIC, 'short-secret')).toThrow(/hexadecimal/);
    try {
      createCredentials(PUBLIC, 'short-secret');
    } catch (error) {
      expect(String(error)).not.toContain('short-secret');
    }
  });
});
