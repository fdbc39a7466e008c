/** Promises of the wire profile that no test of an area shows: pages, errors, TOTP, clock, order ids, reads after writes. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dec } from '../../src/model/numbers/money.ts';
import { instrumentSpecs } from '../../src/sandbox/core/market/instruments.ts';
import { openDesk, type Desk } from './money-desk.ts';
import { send, totp } from './raw-client.ts';
import { witness } from './sightings.ts';

const CLIENT = '/api/v2/exchange/client';
const TRANSACTIONS = '/api/v1/wallet/transactions/list/my';
const LOGIN = '/api/v1/auth/login';
const TIME = '/api/v2/exchange/public/time';
const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };

interface Order {
  readonly orderId: string;
  readonly clientOrderId?: string;
  readonly status: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(76);
});
afterAll(() => desk.stop());

const place = (change: object = {}): Promise<Order> =>
  desk.good<Order>(desk.alice, 'POST', `${CLIENT}/order/spot`, { ...buy, ...change });

describe('conventions', () => {
  it('pages have 100 rows unless asked, and never more than 1,000', async () => {
    const { identity, money } = desk.running.sandbox.exchange;
    const { userId } = identity.userByLogin('bob')!;
    for (let count = 0; count < 1005; count++) {
      const request = { from: 'funding', to: 'p2p', currency: 'RUB', amount: dec('0.01') } as const;
      money.transfers.transfer(userId, request, desk.running.sandbox.now());
    }
    const length = async (query: string): Promise<number> =>
      (await desk.good<{ items: object[] }>(desk.bob, 'GET', `${TRANSACTIONS}${query}`)).items.length;
    expect([await length(''), await length('?limit=7'), await length('?limit=99999')]).toEqual([100, 7, 1000]);
    witness('limit/page-size');
  });

  it('errors have their status, a code, a message, and the field where one is to blame', async () => {
    const { orderId } = await place();
    const refused = async (method: string, path: string, data?: object): Promise<unknown> => {
      const { status, json } = await desk.request(desk.alice, method, path, data);
      const { code, message, field } = json as Record<string, unknown>;
      expect(typeof message).toBe('string');
      return [status, code, field];
    };
    const order = `${CLIENT}/order/spot`;
    expect(await refused('POST', order, { ...buy, side: 'up' })).toEqual([400, 'bad_request', 'side']);
    expect(await refused('POST', order, { ...buy, symbol: 'NOPE' })).toEqual([404, 'unknown_symbol', 'symbol']);
    expect(await refused('POST', order, { ...buy, quantity: '900' })).toEqual([
      422,
      'insufficient_balance',
      'quantity',
    ]);
    await desk.good(desk.alice, 'DELETE', `${CLIENT}/order/${orderId}`);
    expect(await refused('DELETE', `${CLIENT}/order/${orderId}`)).toEqual([409, 'order_closed', undefined]);
    const rules = { rules: [{ match: { path: TIME }, fault: 'rateLimit', ms: 1500, times: 1 }] };
    await send(desk.running.restUrl, 'POST', '/sandbox/faults', {}, JSON.stringify(rules));
    const limited = await send(desk.running.restUrl, 'GET', TIME, {});
    expect([limited.status, limited.headers['retry-after'], limited.json]).toMatchObject([
      429,
      '2',
      { code: 'rate_limited' },
    ]);
    witness('convention/error-body');
  });
});

describe('second factors', () => {
  it('count in their step and the two beside it, as often as they are shown', async () => {
    const user = desk.running.users[1]!;
    const at = async (offsetMs: number): Promise<number> => {
      const code = totp(user.auth2faSecret, desk.running.sandbox.now() + offsetMs);
      const body = JSON.stringify({ login: user.login, password: user.password, auth2fa_code: code });
      return (await send(desk.running.restUrl, 'POST', LOGIN, {}, body)).status;
    };
    // Away from the border of a step, which might be crossed between the code and the request.
    await desk.advance(30_000 - (desk.running.sandbox.now() % 30_000) + 1000);
    expect([await at(0), await at(0), await at(-30_000), await at(30_000)]).toEqual([200, 200, 200, 200]);
    expect([await at(-60_000), await at(60_000)]).toEqual([422, 422]);
    witness('sandbox/totp-steps');
  });
});

describe('orders', () => {
  it('of BTCUSDT stand on its grid, at any price', async () => {
    for (const change of [
      { price: '0.01', quantity: '500' },
      { price: '999999.99', side: 'sell', quantity: '0.00001' },
    ]) {
      expect(await place(change)).toMatchObject({ status: 'new' });
    }
    await desk.refused(422, 'off_tick', desk.alice, 'POST', `${CLIENT}/order/spot`, { ...buy, price: '50000.001' });
    await desk.refused(422, 'off_lot', desk.alice, 'POST', `${CLIENT}/order/spot`, { ...buy, quantity: '0.010001' });
    expect(await place({ price: '500000', quantity: '0.00001' })).toMatchObject({ status: 'new' });
    await desk.good(desk.alice, 'POST', `${CLIENT}/order/cancel-many`, {});
    witness('sandbox/btcusdt-grid');
  });

  it('are seen by every read that begins after their answer; active and history together miss none', async () => {
    const listed = async (path: string): Promise<readonly Order[]> => {
      const body = await desk.good<{ items: Order[] } | Order[]>(desk.alice, 'GET', `${CLIENT}/order/${path}`);
      return 'items' in body ? body.items : body;
    };
    const seen = async (): Promise<ReadonlySet<string>> => {
      const active = await listed('active');
      return new Set([...active, ...(await listed('history?limit=1000'))].map(({ orderId }) => orderId));
    };
    const made: string[] = [];
    for (let count = 0; count < 20; count++) {
      const { orderId } = await place({ price: String(40_000 + count) });
      expect((await listed('active'))[0]).toMatchObject({ orderId });
      made.push(orderId);
    }
    // Half are cancelled while it looks.
    const cancels = Promise.all(
      made.slice(0, 10).map((orderId) => desk.good(desk.alice, 'DELETE', `${CLIENT}/order/${orderId}`)),
    );
    for (let count = 0; count < 5; count++) {
      const known = await seen();
      expect(made.filter((orderId) => !known.has(orderId))).toEqual([]);
    }
    await cancels;
    await desk.good(desk.alice, 'POST', `${CLIENT}/order/cancel-many`, {});
    witness('sandbox/reads-see-writes');
    witness('sandbox/nothing-missed');
  });

  it('have a client order id once and for ever, or none at all where that is switched off', async () => {
    const { orderId, clientOrderId } = await place({ clientOrderId: 'mine-1' });
    expect(clientOrderId).toBe('mine-1');
    await desk.good(desk.alice, 'DELETE', `${CLIENT}/order/${orderId}`);
    const again = { ...buy, clientOrderId: 'mine-1' };
    await desk.refused(409, 'duplicate_client_order_id', desk.alice, 'POST', `${CLIENT}/order/spot`, again);
    // Unique per user.
    expect(await desk.good(desk.bob, 'POST', `${CLIENT}/order/spot`, again)).toMatchObject({ clientOrderId: 'mine-1' });
    const off = await openDesk(77, { clientOrderIds: false });
    for (let count = 0; count < 2; count++) {
      const order = await off.good<Order>(off.alice, 'POST', `${CLIENT}/order/spot`, again);
      expect(order).not.toHaveProperty('clientOrderId');
    }
    await off.stop();
    witness('sandbox/client-order-ids');
  });

  it('and all else have no rate limit of themselves', async () => {
    const replies = await Promise.all(Array.from({ length: 400 }, () => send(desk.running.restUrl, 'GET', TIME, {})));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    witness('sandbox/no-rate-limit');
  });
});

describe('the sandbox itself', () => {
  it('has its three routes for callers on loopback alone', async () => {
    const { sandbox } = desk.running;
    const fromOutside = (path: string, body: object): Promise<number> =>
      new Promise((resolve) => {
        const request = { method: 'POST', target: path, headers: {}, body: Buffer.from(JSON.stringify(body)) };
        sandbox.handle({ ...request, address: '192.0.2.7' }, (reply) => resolve(reply?.status ?? 0));
      });
    const deposit = { login: 'alice', account: 'funding', currency: 'BTC', amount: '1' };
    const before = await desk.balance(desk.alice, 'funding', 'BTC');
    for (const [path, body] of [
      ['/sandbox/clock', { advanceMs: 1000 }],
      ['/sandbox/faults', { rules: [] }],
      ['/sandbox/deposit', deposit],
    ] as const) {
      expect([path, await fromOutside(path, body)]).toEqual([path, 404]);
      const inside = await send(desk.running.restUrl, 'POST', path, {}, JSON.stringify(body));
      expect([path, inside.status]).toEqual([path, 200]);
      expect([path, (await send(desk.running.restUrl, 'GET', path, {})).status]).toEqual([path, 404]);
    }
    expect((await desk.balance(desk.alice, 'funding', 'BTC')).available).toBe(before.available + 1);
    expect((await send(desk.running.restUrl, 'POST', '/sandbox/mint', {}, '{}')).status).toBe(404);
    witness('sandbox/control-routes');
  });

  it('ignores client order ids that are switched off, whatever they are', async () => {
    const off = await openDesk(80, { clientOrderIds: false });
    for (const clientOrderId of ['x'.repeat(65), 'a b', 7, '', { id: 1 }]) {
      const order = await off.good(off.alice, 'POST', `${CLIENT}/order/spot`, { ...buy, clientOrderId });
      expect(order).not.toHaveProperty('clientOrderId');
    }
    await off.stop();
  });

  it('mints the currencies of a replayed pair too, so that it can be traded', async () => {
    const solana = { ...instrumentSpecs[0]!, symbol: 'SOLUSDC', base: 'SOL', quote: 'USDC' };
    const own = await openDesk(79, { instruments: [solana] });
    await own.mint('alice', 'unified-trading', 'USDC', '1000');
    await own.mint('bob', 'unified-trading', 'SOL', '5');
    const order = { symbol: 'SOLUSDC', type: 'limit', price: '150', quantity: '2' };
    await own.good(own.alice, 'POST', '/api/v2/exchange/client/order/spot', { ...order, side: 'buy' });
    const sold = await own.good(own.bob, 'POST', '/api/v2/exchange/client/order/spot', { ...order, side: 'sell' });
    expect(sold).toMatchObject({ status: 'filled' });
    expect(await own.balance(own.alice, 'unified-trading', 'USDC')).toEqual({ available: 700, locked: 0 });
    const foreign = { login: 'alice', account: 'funding', currency: 'XRP', amount: '1' };
    expect((await send(own.running.restUrl, 'POST', '/sandbox/deposit', {}, JSON.stringify(foreign))).status).toBe(400);
    await own.stop();
  });

  it('skips time without trading: the book is the same, the minutes between are absent, idle sockets live on', async () => {
    const live = await openDesk(78, { market: 'synthetic' });
    const candles = async (): Promise<readonly number[]> =>
      (
        (await send(live.running.restUrl, 'GET', `/api/v2/exchange/public/candle?symbol=BTCUSDT&limit=3`, {})).json as {
          openTime: number;
        }[]
      ).map(({ openTime }) => openTime);
    const market = live.running.sandbox.exchange.markets.get('BTCUSDT')!;
    const touch = (): readonly number[] => [market.book.bidTicks, market.book.askTicks, market.lastTicks];
    const before = touch();
    const minute = (await candles()).at(-1)!;
    live.running.advance(3_600_000);
    expect(touch()).toEqual(before);
    const newest = async (): Promise<number> => (await candles()).at(-1)!;
    await expect.poll(newest, { timeout: 10_000, interval: 50 }).toBeGreaterThanOrEqual(minute + 3_600_000);
    const times = await candles();
    expect(times.filter((time) => time > minute && time < minute + 3_540_000)).toEqual([]);
    await live.stop();
    witness('sandbox/clock-route');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops on %s with exit 0', async (signal) => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'sandbox', '--json', '--market', 'none'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill(signal);
    expect(await ended).toBe(0);
    witness('sandbox/stops');
  });
});
