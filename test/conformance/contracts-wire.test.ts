/**
 * wire-profile.md for spot, field by field, over plain HTTP and WebSocket: the shapes of answers and pushes, pages,
 * times, and what a client may rely on. Behaviour under refusals, faults and load stands in the other files here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, send, signed, type Frame, type KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

const PUBLIC = '/api/v2/exchange/public';
const ORDER = '/api/v2/exchange/client/order';
const decimal = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

let live: RunningSandbox;
let alice: KeyPair;

beforeAll(async () => {
  live = await startSandbox({ clock: systemClock, seed: 11 });
  alice = live.users[0]!.apiKey;
});
afterAll(() => live.stop());

type Json = Record<string, unknown>;
const get = async (path: string): Promise<unknown> => {
  const reply = await send(live.restUrl, 'GET', path, {});
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json;
};
const mine = async (path: string): Promise<unknown> => {
  const reply = await signed(live.gatewayUrl, alice, 'GET', path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json;
};
function shaped(value: unknown, fields: string): Json {
  const object = value as Json;
  expect(Object.keys(object).toSorted()).toEqual(fields.split(' ').toSorted());
  return object;
}
function decimals(object: Json, fields: string): void {
  for (const field of fields.split(' '))
    expect([field, object[field]]).toEqual([field, expect.stringMatching(decimal)]);
}
const place = async (order: Json): Promise<Json> => {
  const reply = await signed(live.restUrl, alice, 'POST', `${ORDER}/spot`, {
    symbol: 'ETHBTC',
    side: 'buy',
    type: 'limit',
    ...order,
  });
  expect([reply.text, reply.status]).toEqual([expect.any(String), 200]);
  return reply.json as Json;
};

describe('public answers', () => {
  it('instruments', async () => {
    const list = (await get(`${PUBLIC}/asset/instrument/spot/list`)) as Json[];
    for (const each of list) {
      shaped(
        each,
        'symbol base quote pricePrecision quantityPrecision tickSize lotSize minQuantity maxQuantity minNotional status',
      );
      decimals(each, 'tickSize lotSize minQuantity maxQuantity minNotional');
      expect(Number(each['tickSize'])).toBeCloseTo(10 ** -Number(each['pricePrecision']), 12);
      expect(Number(each['lotSize'])).toBeCloseTo(10 ** -Number(each['quantityPrecision']), 12);
    }
    const btc = list.find(({ symbol }) => symbol === 'BTCUSDT')!;
    expect(btc).toMatchObject({ tickSize: '0.01', lotSize: '0.00001', status: 'trading' });
    expect(Number(btc['minNotional'])).toBeLessThanOrEqual(5);
    expect(list.map(({ symbol }) => symbol)).toEqual(
      expect.arrayContaining(['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTRUB']),
    );
    const perpetuals = (await get(`${PUBLIC}/asset/instrument/derivative/list`)) as Json[];
    expect(perpetuals.map(({ symbol }) => symbol)).toEqual(['BTCUSDTPERP', 'ETHUSDTPERP']);
    witness('convention/symbols');
  });

  it('ticker: one with a symbol, all without', async () => {
    const fields = 'symbol last bid ask open high low volume quoteVolume ts';
    const one = shaped(await get(`${PUBLIC}/ticker?symbol=BTCUSDT`), fields);
    decimals(one, 'last bid ask open high low volume quoteVolume');
    expect(Number(one['bid'])).toBeLessThan(Number(one['ask']));
    const all = (await get(`${PUBLIC}/ticker`)) as Json[];
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const each of all) shaped(each, fields);
    witness('convention/decimals');
  });

  it('order book: best first, limited', async () => {
    const book = shaped(await get(`${PUBLIC}/orderbook?symbol=BTCUSDT&limit=5`), 'symbol seq ts bids asks');
    const bids = (book['bids'] as string[][]).map(([price]) => Number(price));
    const asks = (book['asks'] as string[][]).map(([price]) => Number(price));
    expect([bids.length, asks.length]).toEqual([5, 5]);
    expect(bids).toEqual(bids.toSorted((a, b) => b - a));
    expect(asks).toEqual(asks.toSorted((a, b) => a - b));
    expect(bids[0]).toBeLessThan(asks[0]!);
  });

  it.each(['1m', '5m', '15m', '1h', '4h', '1d'])(
    'candles of %s: aligned, oldest first, only the last may be forming',
    async (interval) => {
      const list = (await get(`${PUBLIC}/candle?symbol=BTCUSDT&interval=${interval}&limit=4`)) as Json[];
      const ms = { '1m': 60e3, '5m': 300e3, '15m': 900e3, '1h': 3600e3, '4h': 14_400e3, '1d': 86_400e3 }[interval]!;
      expect(list.length).toBeGreaterThan(0);
      expect(list.length).toBeLessThanOrEqual(4);
      for (const [index, each] of list.entries()) {
        shaped(each, 'openTime open high low close volume closed');
        decimals(each, 'open high low close volume');
        expect(Number(each['openTime']) % ms).toBe(0);
        expect(each['closed'] === true || index === list.length - 1).toBe(true);
        if (index > 0) expect(each['openTime']).toBeGreaterThan(Number(list[index - 1]!['openTime']));
      }
    },
  );

  it('candles from and to are inclusive', async () => {
    const all = (await get(`${PUBLIC}/candle?symbol=BTCUSDT&interval=1m&limit=10`)) as Json[];
    const [from, to] = [Number(all[2]!['openTime']), Number(all[5]!['openTime'])];
    const part = (await get(`${PUBLIC}/candle?symbol=BTCUSDT&interval=1m&from=${from}&to=${to}`)) as Json[];
    expect(part.map(({ openTime }) => openTime)).toEqual(all.slice(2, 6).map(({ openTime }) => openTime));
  });

  it('time', async () => {
    const { serverTime } = shaped(await get(`${PUBLIC}/time`), 'serverTime');
    expect(Math.abs(Number(serverTime) - Date.now())).toBeLessThan(2000);
  });
});

describe('own answers', () => {
  it('who, balances, fees, assets, networks', async () => {
    shaped(await mine('/api/v1/auth/me'), 'userId login username');
    const balances = (await mine('/api/v1/accounting/client/report-account/accounts/overview')) as Json[];
    for (const each of balances) {
      shaped(each, 'account currency available locked total');
      decimals(each, 'available locked total');
    }
    const of = (account: string, currency: string): number =>
      Number(balances.find((each) => each['account'] === account && each['currency'] === currency)?.['total']);
    for (const account of ['unified-trading', 'funding', 'p2p']) {
      for (const currency of ['USDT', 'BTC', 'ETH', 'RUB'])
        expect([account, currency, of(account, currency) > 0]).toEqual([account, currency, true]);
    }
    expect(of('unified-trading', 'USDT')).toBeGreaterThanOrEqual(1_000_000);
    expect(of('unified-trading', 'BTC')).toBeGreaterThanOrEqual(10);
    expect(of('p2p', 'USDT')).toBeGreaterThanOrEqual(10_000);
    expect(of('p2p', 'RUB')).toBeGreaterThanOrEqual(1_000_000);
    const fees = (await mine('/api/v2/exchange/client/fee/personal?symbol=BTCUSDT')) as Json[];
    expect(fees).toHaveLength(1);
    decimals(shaped(fees[0], 'symbol maker taker'), 'maker taker');
    for (const each of (await mine('/api/v2/exchange/client/asset/list')) as Json[])
      shaped(each, 'currency title isCoin precision');
    const networks = (await mine('/api/v1/currency-network/list?limit=3')) as { items: Json[] };
    for (const each of networks.items) shaped(each, 'network title');
  });

  it('order history and own trades page newest first without loss or repetition; from and to are inclusive', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(String((await place({ price: '0.01', quantity: '0.1' }))['orderId']));
    await signed(live.restUrl, alice, 'POST', `${ORDER}/cancel-many`, { symbol: 'ETHBTC' });
    const paged: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = shaped(await mine(`${ORDER}/history?symbol=ETHBTC&limit=3${query}`), 'items nextCursor');
      const items = page['items'] as Json[];
      expect(items.length).toBeLessThanOrEqual(3);
      paged.push(...items);
      // What ends meanwhile does not move the pages.
      const extra = await place({ price: '0.01', quantity: '0.2' });
      await signed(live.restUrl, alice, 'DELETE', `${ORDER}/${String(extra['orderId'])}`);
      cursor = page['nextCursor'] as string | null;
    }
    expect(paged.map(({ orderId }) => orderId)).toEqual(ids.toReversed());
    const middle = paged[3]!;
    const window = (await mine(
      `${ORDER}/history?symbol=ETHBTC&from=${String(middle['createdAt'])}&to=${String(middle['createdAt'])}`,
    )) as { items: Json[] };
    expect(window.items.map(({ orderId }) => orderId)).toContain(middle['orderId']);
    for (const each of window.items) expect(each['createdAt']).toBe(middle['createdAt']);
    witness('convention/pages');
  });

  it('own trades', async () => {
    const done = await place({ symbol: 'BTCUSDT', type: 'market', quantity: '0.001' });
    expect(done).toMatchObject({ status: 'filled', price: null, filledQuantity: '0.001' });
    const trades = (await mine('/api/v2/exchange/client/trade/spot/list/my?symbol=BTCUSDT')) as { items: Json[] };
    const [trade] = trades.items.filter(({ orderId }) => orderId === done['orderId']);
    shaped(trade, 'tradeId orderId symbol market side price quantity fee feeCurrency liquidity ts');
    decimals(trade!, 'price quantity fee');
    expect(trade).toMatchObject({ market: 'spot', side: 'buy', feeCurrency: 'BTC', liquidity: 'taker' });
    expect(Number(trade!['fee'])).toBeCloseTo(Number(trade!['quantity']) * 0.0005, 12);
  });

  it('the signature covers the query string as it stands in the URL', async () => {
    const path = `${ORDER}/history?symbol=BTCUSDT&limit=5`;
    expect((await signed(live.restUrl, alice, 'GET', path)).status).toBe(200);
    const other = await signed(live.restUrl, alice, 'GET', path).then(() => send(live.restUrl, 'GET', path, {}));
    expect(other.status).toBe(401);
  });

  it('an unknown path is 404 with code and message', async () => {
    const reply = await signed(live.restUrl, alice, 'GET', '/api/v2/nothing');
    expect([reply.status, reply.json]).toMatchObject([404, { code: expect.any(String), message: expect.any(String) }]);
  });
});

describe('frames', () => {
  it('control frames and every public channel', async () => {
    const socket = await RawSocket.open(live.wsUrl);
    try {
      socket.send({ method: 'ping' });
      const pong = await socket.next((frame) => 'pong' in frame);
      expect(Math.abs(Number(pong['pong']) - Date.now())).toBeLessThan(2000);
      const channels = ['BTCUSDT@depth', 'BTCUSDT@trades', 'BTCUSDT.1m@candles', 'BTCUSDT@ticker', 'VOLUME@ratio'];
      expect(await socket.subscribe(1, channels)).toEqual({
        id: 1,
        method: 'subscribe',
        success: true,
        data: channels,
      });
      socket.send({ id: 2, method: 'list_subscriptions' });
      const listed = await socket.next((frame) => frame['id'] === 2);
      expect(listed).toEqual({ id: 2, method: 'list_subscriptions', success: true, data: channels });

      const push = async (channel: string): Promise<Frame> => {
        const frame = await socket.onChannel(channel);
        shaped(frame, 'channel seq ts data');
        return frame;
      };
      const first = await push('BTCUSDT@depth');
      expect((first['data'] as Json)['type']).toBe('snapshot');
      let seq = Number(first['seq']);
      for (let n = 0; n < 5; n++) {
        const update = await push('BTCUSDT@depth');
        expect(shaped(update['data'], 'type bids asks')['type']).toBe('update');
        expect(update['seq']).toBe(++seq);
      }
      const [print] = (await push('BTCUSDT@trades'))['data'] as Json[];
      decimals(shaped(print, 'tradeId price quantity side ts'), 'price quantity');
      decimals(
        shaped((await push('BTCUSDT@ticker'))['data'], 'symbol last bid ask open high low volume quoteVolume ts'),
        'last bid ask',
      );
      decimals(
        shaped((await push('BTCUSDT.1m@candles'))['data'], 'openTime open high low close volume closed'),
        'open close',
      );
      shaped((await push('VOLUME@ratio'))['data'], 'symbol buy sell');

      socket.send({ id: 3, method: 'unsubscribe', data: ['BTCUSDT@depth'] });
      expect(await socket.next((frame) => frame['id'] === 3)).toEqual({
        id: 3,
        method: 'unsubscribe',
        success: true,
        data: ['BTCUSDT@depth'],
      });
      socket.send({ id: 4, method: 'list_subscriptions' });
      expect((await socket.next((frame) => frame['id'] === 4))['data']).toEqual(channels.slice(1));
    } finally {
      socket.close();
    }
    witness('frame/subscribe-reply');
    witness('frame/list-reply');
    witness('frame/push');
    witness('frame/push-trades');
    witness('frame/push-candles');
    witness('frame/push-ticker');
    witness('frame/push-ratio');
  });

  it('the same seed gives the same users and keys', async () => {
    const [one, two, other] = await Promise.all(
      [4, 4, 5].map(async (seed) => {
        const running = await startSandbox({ clock: systemClock, seed, market: 'none' });
        await running.stop();
        return JSON.stringify(running.users);
      }),
    );
    expect(one).toBe(two);
    expect(other).not.toBe(one);
  });
});
