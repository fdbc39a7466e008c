/**
 * Bad input at every operation that takes a body, over real HTTP: not JSON, not an object, not UTF-8, too deep, too big,
 * every field of the wrong type. Nothing has an effect, nothing is a server error, and the exchange goes on. The same for
 * broken HTTP. Frames of the WebSocket stand in `socket.test.ts`.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpointTable } from '../../src/exchange/interface/endpoints.ts';
import { openDesk, type Desk } from './money-desk.ts';
import { hmacOf, send, type RawReply } from './raw-client.ts';

const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';

let desk: Desk;
let token: string;
beforeAll(async () => {
  desk = await openDesk(79);
  token = await desk.login(0);
});
afterAll(() => desk.stop());

const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const bodies: readonly (readonly [string, Buffer])[] = [
  ['half of an object', Buffer.from('{"symbol":')],
  ['a list', Buffer.from('[]')],
  ['null', Buffer.from('null')],
  ['text', Buffer.from('"x"')],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['nesting without end', Buffer.from(`{"symbol":${deep}}`)],
  ['a prototype', Buffer.from('{"__proto__":{"amount":"1"},"constructor":7}')],
  ['more than a megabyte', Buffer.from(`{"name":"${'x'.repeat(1_100_000)}"}`)],
];

const wrongValues = [null, true, -1, 1e300, 'NaN', '1e5', [], {}, ['x'], { a: 1 }, ' ', 'x'.repeat(5000)];
const fields =
  'symbol side type price quantity orderIds from to currency amount network address code codeId recipient applicationId method marketId minLimit maxLimit paymentMethodIds advertisementId paymentMethodId tradeId leverage marginType mode positionSide name permissions ipAddresses auth2fa_code login password';

/** Operations with a body, their parameters filled with something that is not there. */
const operations = createEndpointTable()
  .rows.filter(({ effect, method }) => effect === 'mutating' && method !== 'GET')
  .map(({ name, method, path, access }) => ({
    name,
    method,
    path: path.replaceAll(/\{\w+\}/g, 'none'),
    isLogin: access.kind === 'jwt-only',
  }));

function attempt({ method, path, isLogin }: (typeof operations)[number], body: Buffer): Promise<RawReply> {
  if (isLogin) return send(desk.running.restUrl, method, path, { Authorization: `Bearer ${token}` }, body);
  const { publicKey, secretKey } = desk.alice;
  const timestamp = String(desk.running.sandbox.now());
  const head = Buffer.from(`${timestamp}\n${method}\n${path}\n`);
  const signature = hmacOf(secretKey, Buffer.concat([head, body]));
  const headers = { 'X-API-Key': publicKey, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
  return send(desk.running.restUrl, method, path, headers, body);
}

/** Refused as a bad request, or for what is not there or (at the login) not right: never accepted, never a server error. */
async function expectRefused(operation: (typeof operations)[number], what: string, body: Buffer): Promise<void> {
  const { status, json } = await attempt(operation, body);
  const good = [400, 404, 422].includes(status) || (operation.name === 'login' && status === 401);
  expect([operation.name, what, status, good]).toEqual([operation.name, what, status, true]);
  expect(json).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

/** An operation without a field that it needs: an empty object means all orders. */
const takesAnything = new Set(['cancelManyOrders']);

describe('bodies', () => {
  it.each(bodies)('%s is refused by every operation', async (what, body) => {
    const before = await desk.good(desk.alice, 'GET', BALANCES);
    for (const operation of operations) {
      if (takesAnything.has(operation.name) && what === 'a prototype') continue;
      await expectRefused(operation, what, body);
    }
    expect(await desk.good(desk.alice, 'GET', BALANCES)).toEqual(before);
  });

  it('with every field of the wrong type are refused by every operation', async () => {
    const before = await desk.good(desk.alice, 'GET', BALANCES);
    for (const value of wrongValues) {
      const body = Object.fromEntries(fields.split(' ').map((field) => [field, value]));
      for (const operation of operations) {
        // Null is as good as left out, which for this operation means all.
        if (takesAnything.has(operation.name) && value === null) continue;
        await expectRefused(operation, JSON.stringify(value), Buffer.from(JSON.stringify(body)));
      }
    }
    expect(await desk.good(desk.alice, 'GET', BALANCES)).toEqual(before);
  });
});

/** What the service answers to raw bytes, until it closes or half a second passes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(desk.running.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

describe('broken HTTP', () => {
  it.each([
    ['no HTTP at all', '\u0000\u0001\r\n\r\n', ' 400 '],
    ['a header that is no header', 'GET / HTTP/1.1\r\nnonsense\r\n\r\n', ' 400 '],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', ' 400 '],
    ['an unknown method', 'BREW /api/v2/exchange/public/time HTTP/1.1\r\nHost: x\r\n\r\n', ' 400 '],
    ['a path that is no path', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n', ' 404 '],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`, ' 4'],
  ])('%s is answered', async (_what, bytes, status) => {
    expect(await raw(bytes)).toContain(`HTTP/1.1${status}`);
  });

  it('connections that never say anything, in numbers, keep nobody from trading', async () => {
    const silent = Array.from({ length: 300 }, () => connect(desk.running.port, '127.0.0.1'));
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };
    expect(await desk.good(desk.alice, 'POST', '/api/v2/exchange/client/order/spot', order)).toMatchObject({
      status: 'new',
    });
    for (const socket of silent) socket.destroy();
  });
});
