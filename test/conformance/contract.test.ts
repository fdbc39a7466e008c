/** The sandbox contract of wire-profile.md as an outside program meets it: the printed line, money, markets, rates, faults. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpointTable, pathOf } from '../../src/exchange/interface/endpoints.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, keyHeaders, send, signed, totp } from './raw-client.ts';
import { witness } from './sightings.ts';

const BALANCES = '/api/v1/accounting/client/report-account/accounts/overview';
const TIME = '/api/v2/exchange/public/time';

let running: RunningSandbox;
let base: string;

beforeAll(async () => {
  running = await startSandbox({ clock: systemClock, seed: 7 });
  base = running.restUrl;
});
afterAll(() => running.stop());

function setFaults(rules: readonly object[]): Promise<{ status: number }> {
  return send(base, 'POST', '/sandbox/faults', {}, JSON.stringify({ rules }));
}

async function get(path: string): Promise<unknown> {
  return (await send(base, 'GET', path, {})).json;
}

describe('tidewire sandbox', () => {
  it('prints one line, serves, and stops on SIGTERM with exit 0', async () => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'sandbox', '--port', '0', '--seed', '7', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (data) => {
        out += String(data);
        if (out.includes('\n')) resolve(out);
      });
      child.on('exit', () => reject(new Error(`exited before it printed: ${out}`)));
    });
    const printed = JSON.parse(line) as { restUrl: string; gatewayUrl: string; wsUrl: string; users: object[] };
    expect(printed.restUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(printed.wsUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    expect(printed.users).toEqual(running.users);
    expect((await send(printed.gatewayUrl, 'GET', TIME, {})).status).toBe(200);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(1);
    witness('sandbox/printed-line');
  });

  it('says clearly that a port is in use, exit 4', async () => {
    const args = ['src/cli/main.ts', 'sandbox', '--port', String(running.port)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let err = '';
    child.stderr.on('data', (data) => (err += String(data)));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(4);
    expect(err).toContain('sandbox_port_in_use');
    await expect(startSandbox({ clock: systemClock, port: running.port })).rejects.toMatchObject({
      code: 'sandbox_port_in_use',
    });
    await expect(startSandbox({ clock: systemClock, port: 70_000 })).rejects.toMatchObject({
      code: 'sandbox_bad_option',
    });
  });
});

describe('the contract', () => {
  it('two users with the promised money and one full key each', async () => {
    expect(running.users.length).toBeGreaterThanOrEqual(2);
    for (const { apiKey } of running.users) {
      const rows = (await signed(base, apiKey, 'GET', BALANCES)).json as {
        account: string;
        currency: string;
        available: string;
        locked: string;
        total: string;
      }[];
      const total = (account: string, currency: string): number =>
        Number(rows.find((row) => row.account === account && row.currency === currency)?.total ?? 0);
      for (const account of ['unified-trading', 'funding', 'p2p']) {
        for (const currency of ['USDT', 'BTC', 'ETH', 'RUB']) expect(total(account, currency)).toBeGreaterThan(0);
      }
      expect(total('unified-trading', 'USDT')).toBeGreaterThanOrEqual(1_000_000);
      expect(total('unified-trading', 'BTC')).toBeGreaterThanOrEqual(10);
      expect(total('p2p', 'USDT')).toBeGreaterThanOrEqual(10_000);
      expect(total('p2p', 'RUB')).toBeGreaterThanOrEqual(1_000_000);
    }
    witness('sandbox/two-users');
  });

  it('the promised instruments, each with book, ticker and candles; perpetuals with mark and funding', async () => {
    const spot = (await get('/api/v2/exchange/public/asset/instrument/spot/list')) as {
      symbol: string;
      tickSize: string;
      lotSize: string;
      minNotional: string;
    }[];
    expect(spot.map((row) => row.symbol)).toEqual(expect.arrayContaining(['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTRUB']));
    const btc = spot.find((row) => row.symbol === 'BTCUSDT');
    expect([btc?.tickSize, btc?.lotSize]).toEqual(['0.01', '0.00001']);
    expect(Number(btc?.minNotional)).toBeLessThanOrEqual(5);
    const perpetuals = (await get('/api/v2/exchange/public/asset/instrument/derivative/list')) as { symbol: string }[];
    expect(perpetuals.map((row) => row.symbol)).toEqual(expect.arrayContaining(['BTCUSDTPERP', 'ETHUSDTPERP']));
    for (const { symbol } of [...spot, ...perpetuals]) {
      const book = (await get(`/api/v2/exchange/public/orderbook?symbol=${symbol}&limit=20`)) as {
        bids: string[][];
        asks: string[][];
        seq: number;
      };
      expect([book.bids.length, book.asks.length]).toEqual([20, 20]);
      expect(Number(book.bids[0]![0])).toBeLessThan(Number(book.asks[0]![0]));
      expect(await get(`/api/v2/exchange/public/ticker?symbol=${symbol}`)).toMatchObject({
        symbol,
        last: expect.stringMatching(/^\d+(\.\d+)?$/),
      });
      const candles = (await get(`/api/v2/exchange/public/candle?symbol=${symbol}&interval=5m&limit=10`)) as object[];
      expect(candles).toHaveLength(10);
      expect(candles[0]).toEqual({
        openTime: expect.any(Number),
        open: expect.any(String),
        high: expect.any(String),
        low: expect.any(String),
        close: expect.any(String),
        volume: expect.any(String),
        closed: true,
      });
    }
    expect(await get('/api/v2/exchange/public/derivative/mark-price?symbol=BTCUSDTPERP')).toMatchObject({
      symbol: 'BTCUSDTPERP',
      markPrice: expect.any(String),
      indexPrice: expect.any(String),
    });
    expect(await get('/api/v2/exchange/public/derivative/funding-rate?symbol=ETHUSDTPERP')).toMatchObject({
      rate: expect.any(String),
      nextFundingTime: expect.any(Number),
      history: [],
    });
    expect(await get('/api/v2/exchange/public/derivative/risk-tiers?symbol=BTCUSDTPERP')).toEqual(
      expect.arrayContaining([expect.objectContaining({ tier: 1 })]),
    );
    expect((await send(base, 'GET', '/api/v2/exchange/public/ticker?symbol=NOPE', {})).status).toBe(404);
    expect((await send(base, 'GET', '/api/v2/exchange/public/orderbook', {})).status).toBe(400);
    witness('sandbox/instruments');
  });

  it('every row of the endpoint table answers, 501 `not_available` where the area is not built', async () => {
    const key = running.users[1]!.apiKey;
    for (const row of createEndpointTable().rows) {
      if (row.access.kind !== 'permission' && row.access.kind !== 'any-key') continue;
      const params = { orderId: 'x', linkId: 'x', transactionId: 'x', id: 'x', publicKey: 'x' };
      const reply = await signed(base, key, row.method, pathOf(row, params), row.method === 'GET' ? undefined : {});
      expect([row.name, reply.status < 500 || reply.status === 501]).toEqual([row.name, true]);
      if (reply.status === 501) expect(reply.json).toEqual({ code: 'not_available', message: expect.any(String) });
      else expect([row.name, [200, 400, 404].includes(reply.status)]).toEqual([row.name, true]);
    }
    expect((await signed(base, key, 'GET', '/api/v2/exchange/client/positions/list')).json).toEqual([]);
  });

  it('BTCUSDT shows five depth updates in 3 s and a trade and a ticker within 10 s', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    const openedAt = performance.now();
    await socket.subscribe(1, [
      'BTCUSDT@depth',
      'BTCUSDT@trades',
      'BTCUSDT@ticker',
      'BTCUSDT.1m@candles',
      'VOLUME@ratio',
    ]);
    for (let count = 0; count < 6; count++) await socket.onChannel('BTCUSDT@depth');
    expect(performance.now() - openedAt).toBeLessThan(3000);
    await Promise.all(
      ['BTCUSDT@trades', 'BTCUSDT@ticker', 'BTCUSDT.1m@candles', 'VOLUME@ratio'].map((channel) =>
        socket.onChannel(channel),
      ),
    );
    expect(performance.now() - openedAt).toBeLessThan(10_000);
    socket.close();
    witness('sandbox/synthetic-pace');
  });

  it('a user order at the best price of the live market is met by agents', async () => {
    const key = running.users[0]!.apiKey;
    const socket = await RawSocket.open(running.wsUrl);
    await socket.login(key);
    await socket.subscribe(1, ['BTCUSDT@my-trades']);
    const { asks } = (await get('/api/v2/exchange/public/orderbook?symbol=BTCUSDT&limit=1')) as {
      asks: [string, string][];
    };
    const price = (Number(asks[0]![0]) + 5).toFixed(2);
    const order = (
      await signed(base, key, 'POST', '/api/v2/exchange/client/order/spot', {
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        price,
        quantity: '3',
      })
    ).json as { orderId: string; filledQuantity: string };
    expect(Number(order.filledQuantity)).toBeGreaterThan(0);
    const first = await socket.onChannel('BTCUSDT@my-trades');
    expect((first['data'] as { orderId: string }[])[0]?.orderId).toBe(order.orderId);
    await signed(base, key, 'DELETE', `/api/v2/exchange/client/order/${order.orderId}`);
    socket.close();
  });
});

describe('faults', () => {
  it('status, rateLimit, delay, drop and dropAfterEffect act on requests, as often as they say', async () => {
    const key = running.users[0]!.apiKey;
    await setFaults([{ match: { path: TIME }, fault: 'status', status: 503, times: 1 }]);
    expect([(await send(base, 'GET', TIME, {})).status, (await send(base, 'GET', TIME, {})).status]).toEqual([
      503, 200,
    ]);
    await setFaults([
      { match: { method: 'GET', path: '/api/v2/exchange/public/*' }, fault: 'rateLimit', ms: 2500, times: 1 },
    ]);
    const limited = await send(base, 'GET', TIME, {});
    expect([limited.status, limited.headers['retry-after'], limited.json]).toMatchObject([
      429,
      '3',
      { code: 'rate_limited' },
    ]);
    await setFaults([{ match: { path: TIME }, fault: 'delay', ms: 200, times: 1 }]);
    const startedAt = performance.now();
    await send(base, 'GET', TIME, {});
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '20000', quantity: '0.01' };
    const orders = '/api/v2/exchange/client/order/spot';
    const active = async (): Promise<number> =>
      ((await signed(base, key, 'GET', '/api/v2/exchange/client/order/active')).json as object[]).length;
    await setFaults([{ match: { method: 'POST', path: orders }, fault: 'drop', times: 1 }]);
    await expect(signed(base, key, 'POST', orders, order)).rejects.toThrow();
    expect(await active()).toBe(0);
    await setFaults([{ match: { method: 'POST', path: orders }, fault: 'dropAfterEffect', times: 1 }]);
    await expect(signed(base, key, 'POST', orders, order)).rejects.toThrow();
    expect(await active()).toBe(1);
    await signed(base, key, 'POST', '/api/v2/exchange/client/order/cancel-many', {});
    await setFaults([]);
    witness('sandbox/faults-route');
  });

  it('mute, gap and disconnect act on channels', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    await socket.subscribe(1, ['BTCUSDT@depth', 'ETHUSDT@depth']);
    let seq = Number((await socket.onChannel('BTCUSDT@depth'))['seq']);
    await setFaults([{ match: { channel: 'BTCUSDT@depth' }, fault: 'gap', times: 1 }]);
    let holes = 0;
    while (holes === 0) {
      const next = Number((await socket.onChannel('BTCUSDT@depth'))['seq']);
      if (next !== seq + 1) holes = next - seq - 1;
      seq = next;
    }
    expect(holes).toBe(1);
    await setFaults([{ match: { channel: 'BTCUSDT@*' }, fault: 'mute' }]);
    socket.frames.length = 0;
    for (let count = 0; count < 10; count++) await socket.onChannel('ETHUSDT@depth');
    socket.send({ method: 'ping' });
    await socket.next((frame) => 'pong' in frame);
    expect(socket.frames.filter((frame) => frame['channel'] === 'BTCUSDT@depth')).toEqual([]);
    const other = await RawSocket.open(running.wsUrl);
    await other.subscribe(1, ['USDTRUB@ticker']);
    await setFaults([{ match: { channel: 'ETHUSDT@depth' }, fault: 'disconnect', times: 1 }]);
    expect(await socket.closed).toBe(1006);
    other.send({ method: 'ping' });
    await other.next((frame) => 'pong' in frame);
    await setFaults([{ match: {}, fault: 'disconnect', times: 1 }]);
    expect(await other.closed).toBe(1006);
    await setFaults([]);
  });

  it('takerSide and falseStatus change what is told, and nothing else', async () => {
    const alone = await startSandbox({ clock: systemClock, seed: 7, market: 'none' });
    const { restUrl } = alone;
    const [maker, taker] = alone.users.map(({ apiKey }) => apiKey);
    const orders = '/api/v2/exchange/client/order/spot';
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '20000', quantity: '0.01' };
    const tell = (rules: readonly object[]) => send(restUrl, 'POST', '/sandbox/faults', {}, JSON.stringify({ rules }));
    const told = async (path: string, field: string): Promise<unknown> => {
      const { json } = await signed(restUrl, maker!, 'GET', path);
      const rows = (Array.isArray(json) ? json : (json as { items: unknown }).items) as Record<string, unknown>[];
      return rows.map((row) => row[field]);
    };
    const status = () => told('/api/v2/exchange/client/order/active', 'status');
    const side = () => told('/api/v2/exchange/client/trade/spot/list/my?symbol=BTCUSDT', 'side');
    try {
      await signed(restUrl, maker!, 'POST', orders, order);
      await tell([{ match: {}, fault: 'falseStatus', status: 'expired' }]);
      expect(await status()).toEqual(['expired']);
      await tell([]);
      expect(await status()).toEqual(['new']);
      await signed(restUrl, taker!, 'POST', orders, { ...order, side: 'sell' });
      await tell([{ match: {}, fault: 'takerSide' }]);
      expect(await side()).toEqual(['sell']);
      await tell([]);
      expect(await side()).toEqual(['buy']);
    } finally {
      await alone.stop();
    }
  });

  it('falseCancel answers a cancel as done without effect, falseRefusal refuses what was carried out', async () => {
    const alone = await startSandbox({ clock: systemClock, seed: 7, market: 'none' });
    const { restUrl } = alone;
    const apiKey = alone.users[0]!.apiKey;
    const orders = '/api/v2/exchange/client/order/spot';
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '20000', quantity: '0.01' };
    const tell = (rules: readonly object[]) => send(restUrl, 'POST', '/sandbox/faults', {}, JSON.stringify({ rules }));
    const active = async (): Promise<readonly { readonly orderId: string }[]> =>
      (await signed(restUrl, apiKey, 'GET', '/api/v2/exchange/client/order/active')).json as { orderId: string }[];
    try {
      await tell([{ match: { method: 'POST', path: orders }, fault: 'falseRefusal', times: 1 }]);
      expect((await signed(restUrl, apiKey, 'POST', orders, order)).status).toBe(422);
      const [rests] = await active();
      const path = `/api/v2/exchange/client/order/${rests?.orderId}`;
      await tell([{ match: { method: 'DELETE', path }, fault: 'falseCancel', times: 1 }]);
      const answer = await signed(restUrl, apiKey, 'DELETE', path);
      expect([answer.status, answer.json]).toMatchObject([200, { status: 'canceled' }]);
      expect(await active()).toHaveLength(1);
    } finally {
      await alone.stop();
    }
  });

  it('rules are checked', async () => {
    for (const rules of [
      [{ fault: 'explode' }],
      [{ fault: 'drop', p: 2 }],
      [{ fault: 'status', status: 100 }],
      [{ fault: 'status', match: { paht: '*' } }],
      'x',
      [{ fault: 'drop', match: [] }],
    ]) {
      const reply = await send(base, 'POST', '/sandbox/faults', {}, JSON.stringify({ rules }));
      expect([JSON.stringify(rules), reply.status]).toEqual([JSON.stringify(rules), 400]);
    }
    expect((await send(base, 'POST', '/sandbox/clock', {}, '{"advanceMs":-1}')).status).toBe(400);
    expect((await send(base, 'POST', '/sandbox/clock', {}, '{}')).status).toBe(400);
  });
});

describe('time', () => {
  it('moves every limit with the sandbox clock, two-factor codes included', async () => {
    const { now } = (await send(base, 'POST', '/sandbox/clock', {}, '{"advanceMs":3600000}')).json as { now: number };
    expect(now - Date.now()).toBeGreaterThan(3_590_000);
    const { serverTime } = (await get(TIME)) as { serverTime: number };
    expect(serverTime).toBeGreaterThanOrEqual(now);
    const { login, password, auth2faSecret, apiKey } = running.users[0]!;
    const body = (ms: number): string => JSON.stringify({ login, password, auth2fa_code: totp(auth2faSecret, ms) });
    expect((await send(base, 'POST', '/api/v1/auth/login', {}, body(Date.now()))).status).toBe(422);
    expect((await send(base, 'POST', '/api/v1/auth/login', {}, body(serverTime))).status).toBe(200);
    const me = '/api/v1/auth/me';
    expect((await send(base, 'GET', me, keyHeaders(apiKey, 'GET', me))).text).toBe('timestamp expired');
    expect((await send(base, 'GET', me, keyHeaders(apiKey, 'GET', me, '', String(serverTime)))).status).toBe(200);
    witness('sandbox/sandbox-clock');
    witness('sandbox/totp');
  });
});
