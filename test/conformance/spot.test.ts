/** Spot trading over plain HTTP and WebSocket, written from wire-profile.md alone. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, keyHeaders, send, signed, type KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

const ORDER = '/api/v2/exchange/client/order/spot';
const ACTIVE = '/api/v2/exchange/client/order/active';
const HISTORY = '/api/v2/exchange/client/order/history';
const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';

let running: RunningSandbox;
let base: string;
let alice: KeyPair;
let bob: KeyPair;

beforeAll(async () => {
  running = await startSandbox({ clock: systemClock, seed: 5, market: 'none' });
  base = running.restUrl;
  [alice, bob] = running.users.map((user) => user.apiKey) as [KeyPair, KeyPair];
});
afterAll(() => running.stop());

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly [name: string]: unknown;
}

async function place(key: KeyPair, order: object): Promise<Order> {
  const reply = await signed(base, key, 'POST', ORDER, order);
  expect(reply.status, reply.text).toBe(200);
  return reply.json as Order;
}

async function balance(key: KeyPair, currency: string): Promise<{ available: string; locked: string; total: string }> {
  const rows = (await signed(base, key, 'GET', BALANCES)).json as {
    account: string;
    currency: string;
    available: string;
    locked: string;
    total: string;
  }[];
  const row = rows.find((each) => each.account === 'unified-trading' && each.currency === currency);
  if (row === undefined) throw new Error(`no ${currency}`);
  return row;
}

describe('spot over the wire', () => {
  it('a raw client of ten lines places and cancels an order', async () => {
    const call = (method: string, path: string, body = ''): Promise<string> =>
      new Promise((resolve) => {
        const timestamp = String(Date.now());
        const signature = createHmac('sha256', alice.secretKey)
          .update(`${timestamp}\n${method}\n${path}\n${body}`)
          .digest('hex');
        const headers = { 'X-API-Key': alice.publicKey, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
        const outgoing = request(base + path, { method, headers }, (response) =>
          response.on('data', (data) => resolve(String(data))),
        );
        outgoing.end(body);
      });
    const placed = JSON.parse(await call('POST', ORDER, JSON.stringify(buy))) as Order;
    const canceled = JSON.parse(await call('DELETE', `/api/v2/exchange/client/order/${placed.orderId}`)) as Order;
    expect([placed.status, canceled.status, canceled.orderId]).toEqual(['new', 'canceled', placed.orderId]);
  });

  it('answers the whole order in the shape of the profile', async () => {
    const order = await place(alice, { ...buy, clientOrderId: 'shape-1', quantity: 0.01 });
    expect(order).toEqual({
      orderId: expect.any(String),
      clientOrderId: 'shape-1',
      market: 'spot',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '50000',
      quantity: '0.01',
      filledQuantity: '0',
      averagePrice: null,
      status: 'new',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const one = await signed(base, alice, 'GET', `/api/v2/exchange/client/order/${order.orderId}`);
    expect(one.json).toEqual(order);
    const active = await signed(base, alice, 'GET', `${ACTIVE}?symbol=BTCUSDT&market=spot`);
    expect(active.json).toEqual([order]);
    expect((await signed(base, alice, 'POST', '/api/v2/exchange/client/order/cancel-many', {})).json).toEqual({
      canceled: [order.orderId],
      failed: [],
    });
    const history = await signed(base, alice, 'GET', `${HISTORY}?limit=1`);
    expect(history.json).toMatchObject({
      items: [{ orderId: order.orderId, status: 'canceled' }],
      nextCursor: expect.any(String),
    });
    const again = await signed(base, alice, 'POST', '/api/v2/exchange/client/order/cancel-many', {
      orderIds: [order.orderId, 'x'],
    });
    expect(again.json).toEqual({
      canceled: [],
      failed: [
        { orderId: order.orderId, code: 'order_closed' },
        { orderId: 'x', code: 'unknown_order' },
      ],
    });
    witness('convention/times');
    witness('convention/ids');
  });

  it('locks, trades, charges and tells, and REST agrees with the events', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    expect(await socket.login(alice)).toEqual({ method: 'auth', success: true });
    const names = [
      'BTCUSDT@depth',
      'BTCUSDT@trades',
      'BTCUSDT@order-info',
      'BTCUSDT@order-history',
      'BTCUSDT@my-trades',
      'CLNTF@my-balances',
      'HLORD@my-balances',
    ];
    expect(await socket.subscribe(1, names)).toEqual({ id: 1, method: 'subscribe', success: true, data: names });
    const whole = await socket.onChannel('CLNTF@my-balances');
    expect(whole['data']).toEqual((await signed(base, alice, 'GET', BALANCES)).json);
    expect(await socket.onChannel('BTCUSDT@depth')).toMatchObject({ data: { type: 'snapshot', bids: [], asks: [] } });

    const before = await balance(alice, 'USDT');
    const resting = await place(alice, { ...buy, price: '50000.5', quantity: '0.2' });
    const locked = await balance(alice, 'USDT');
    expect(locked.locked).toBe('10000.1');
    expect(await socket.onChannel('BTCUSDT@order-info')).toMatchObject({
      data: { orderId: resting.orderId, status: 'new' },
    });
    expect(await socket.onChannel('BTCUSDT@depth')).toMatchObject({
      data: { type: 'update', bids: [['50000.5', '0.2']], asks: [] },
    });
    expect(await socket.onChannel('CLNTF@my-balances')).toMatchObject({ data: [{ currency: 'USDT', ...locked }] });

    const hit = await place(bob, { symbol: 'BTCUSDT', side: 'sell', type: 'market', quantity: '0.05' });
    expect(hit).toMatchObject({ status: 'filled', averagePrice: '50000.5', price: null });
    const [own] = (await socket.onChannel('BTCUSDT@my-trades'))['data'] as object[];
    expect(own).toMatchObject({
      orderId: resting.orderId,
      side: 'buy',
      price: '50000.5',
      quantity: '0.05',
      fee: '0.00001',
      feeCurrency: 'BTC',
      liquidity: 'maker',
    });
    expect(await socket.onChannel('BTCUSDT@trades')).toMatchObject({
      data: [{ price: '50000.5', quantity: '0.05', side: 'sell' }],
    });
    expect(await socket.onChannel('BTCUSDT@order-info')).toMatchObject({
      data: { orderId: resting.orderId, status: 'partially_filled', filledQuantity: '0.05' },
    });
    const trades = (await signed(base, alice, 'GET', '/api/v2/exchange/client/trade/spot/list/my?symbol=BTCUSDT')).json;
    expect(trades).toEqual({ items: [own], nextCursor: null });

    await place(bob, {
      symbol: 'BTCUSDT',
      side: 'sell',
      type: 'limit',
      timeInForce: 'ioc',
      price: '50000',
      quantity: '0.2',
    });
    const ended = await socket.onChannel('BTCUSDT@order-history');
    expect(ended['data']).toEqual(
      (await signed(base, alice, 'GET', `/api/v2/exchange/client/order/${resting.orderId}`)).json,
    );
    expect(ended['data']).toMatchObject({ status: 'filled', filledQuantity: '0.2' });
    const after = await balance(alice, 'USDT');
    expect(after.locked).toBe('0');
    expect(Number(before.available) - Number(after.available)).toBeCloseTo(10_000.1, 6);
    expect((await balance(alice, 'BTC')).available).toBe('10.19996');
    socket.close();
    witness('frame/push-balances');
    witness('frame/push-order-info');
    witness('frame/push-order-history');
    witness('frame/push-my-trades');
    witness('sandbox/spot-money');
    witness('sandbox/create-answer');
  });

  it('push sequences have no holes, and a book built from them equals REST', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    await socket.subscribe(1, ['ETHUSDT@depth']);
    const snapshot = await socket.onChannel('ETHUSDT@depth');
    const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
    const orders: string[] = [];
    for (let count = 0; count < 30; count++) {
      const side = count % 3 === 0 ? 'sell' : 'buy';
      const price = String(side === 'sell' ? 3000 - (count % 5) : 2990 + (count % 7) * 2);
      orders.push(
        (await place(count % 2 === 0 ? alice : bob, { symbol: 'ETHUSDT', side, type: 'limit', price, quantity: '0.1' }))
          .orderId,
      );
    }
    await signed(base, alice, 'POST', '/api/v2/exchange/client/order/cancel-many', { symbol: 'ETHUSDT' });
    const book = (await send(base, 'GET', '/api/v2/exchange/public/orderbook?symbol=ETHUSDT', {})).json as {
      seq: number;
      bids: string[][];
      asks: string[][];
    };
    let seq = snapshot['seq'] as number;
    while (seq < book.seq) {
      const update = await socket.onChannel('ETHUSDT@depth');
      expect(update['seq']).toBe(seq + 1);
      seq++;
      const data = update['data'] as Record<'bids' | 'asks', string[][]>;
      for (const side of ['bids', 'asks'] as const) {
        for (const [price, quantity] of data[side]) {
          if (quantity === '0') sides[side].delete(price!);
          else sides[side].set(price!, quantity!);
        }
      }
    }
    expect(new Map(book.bids as [string, string][])).toEqual(sides.bids);
    expect(new Map(book.asks as [string, string][])).toEqual(sides.asks);
    socket.close();
    witness('frame/push-depth');
    witness('frame/push-seq');
  });

  it('refuses each bad order with its status, code and field', async () => {
    const cases: readonly [object, number, string, string?][] = [
      [{ symbol: 'NOPE' }, 404, 'unknown_symbol', 'symbol'],
      [{ price: '50000.001' }, 422, 'off_tick', 'price'],
      [{ quantity: '0.000011' }, 422, 'off_lot', 'quantity'],
      [{ quantity: '0.00001', price: '100' }, 422, 'below_minimum', 'quantity'],
      [{ quantity: '5000' }, 422, 'above_maximum', 'quantity'],
      [{ quantity: '500' }, 422, 'insufficient_balance', 'quantity'],
      [{ quantity: '-1' }, 400, 'bad_request', 'quantity'],
      [{ quantity: '+1' }, 400, 'bad_request', 'quantity'],
      [{ quantity: '1e-3' }, 400, 'bad_request', 'quantity'],
      [{ quantity: 'NaN' }, 400, 'bad_request', 'quantity'],
      [{ quantity: true }, 400, 'bad_request', 'quantity'],
      [{ price: undefined }, 400, 'bad_request', 'price'],
      [{ price: '0' }, 400, 'bad_request', 'price'],
      [{ side: 'BUY' }, 400, 'bad_request', 'side'],
      [{ type: 'stop' }, 400, 'bad_request', 'type'],
      [{ timeInForce: 'fok' }, 400, 'bad_request', 'timeInForce'],
      [{ symbol: ['BTCUSDT'] }, 400, 'bad_request', 'symbol'],
    ];
    for (const [change, status, code, field] of cases) {
      const reply = await signed(base, alice, 'POST', ORDER, { ...buy, ...change });
      expect([JSON.stringify(change), reply.status, reply.json]).toMatchObject([
        JSON.stringify(change),
        status,
        { code, message: expect.any(String), field },
      ]);
    }
    await place(alice, { ...buy, clientOrderId: 'twice' });
    const twice = await signed(base, alice, 'POST', ORDER, { ...buy, clientOrderId: 'twice' });
    expect([twice.status, twice.json]).toMatchObject([409, { code: 'duplicate_client_order_id' }]);
    const foreign = await place(bob, buy);
    const theft = await signed(base, alice, 'DELETE', `/api/v2/exchange/client/order/${foreign.orderId}`);
    expect([theft.status, theft.json]).toMatchObject([422, { code: 'not_owner' }]);
    const nothing = await signed(base, alice, 'DELETE', '/api/v2/exchange/client/order/17');
    expect([nothing.status, nothing.json]).toMatchObject([404, { code: 'unknown_order' }]);
    await signed(base, bob, 'DELETE', `/api/v2/exchange/client/order/${foreign.orderId}`);
    const closed = await signed(base, bob, 'DELETE', `/api/v2/exchange/client/order/${foreign.orderId}`);
    expect([closed.status, closed.json]).toMatchObject([409, { code: 'order_closed' }]);
    witness('sandbox/request-decimals');
  });

  it('takes exponents in JSON numbers for what they are: 400', async () => {
    const body = '{"symbol":"BTCUSDT","side":"buy","type":"limit","price":5e4,"quantity":"0.01"}';
    const reply = await send(base, 'POST', ORDER, keyHeaders(alice, 'POST', ORDER, body), body);
    expect([reply.status, reply.json]).toMatchObject([400, { field: 'price' }]);
  });

  it('answers malformed bodies and queries with 400 and lives on', async () => {
    for (const body of ['{', '[]', 'null', '"x"', '{"symbol":']) {
      const reply = await send(base, 'POST', ORDER, keyHeaders(alice, 'POST', ORDER, body), body);
      expect([body, reply.status, reply.json]).toMatchObject([body, 400, { code: 'bad_request' }]);
    }
    const login = await send(base, 'POST', '/api/v1/auth/login', {}, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect([login.status, login.json]).toMatchObject([400, { code: 'bad_request' }]);
    const huge = await send(base, 'POST', '/api/v1/auth/login', {}, `{"login":"${'x'.repeat(1_200_000)}"}`);
    expect([huge.status, huge.json]).toMatchObject([400, { code: 'bad_request' }]);
    for (const query of ['limit=0', 'limit=x', 'cursor=zzz', 'from=soon', 'market=futures']) {
      const reply = await signed(base, alice, 'GET', `${HISTORY}?${query}`);
      expect([query, reply.status]).toEqual([query, 400]);
    }
    expect((await signed(base, alice, 'GET', `${HISTORY}?limit=99999`)).status).toBe(200);
    expect((await send(base, 'GET', '/api/v2/exchange/public/time', {})).status).toBe(200);
  });

  it('mints money only through the sandbox route', async () => {
    const before = await balance(bob, 'ETH');
    const body = JSON.stringify({
      login: running.users[1]!.login,
      account: 'unified-trading',
      currency: 'ETH',
      amount: '1.5',
    });
    const reply = await send(base, 'POST', '/sandbox/deposit', {}, body);
    expect([reply.status, reply.json]).toMatchObject([200, { currency: 'ETH', account: 'unified-trading' }]);
    expect(Number((await balance(bob, 'ETH')).available)).toBeCloseTo(Number(before.available) + 1.5, 9);
    const nobody = await send(base, 'POST', '/sandbox/deposit', {}, body.replace(running.users[1]!.login, 'nobody'));
    expect(nobody.status).toBe(404);
  });
});
