/** Every private channel without login and without permission, and every error of every client message. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import { openDesk, type Desk } from './money-desk.ts';
import { RawSocket, type Frame } from './raw-client.ts';
import { witness } from './sightings.ts';

const privateChannels = [
  ['CLNTF@my-balances', 'trading_spot'],
  ['HLORD@my-balances', 'trading_futures'],
  ['BTCUSDT@order-info', 'trading_spot'],
  ['BTCUSDT@order-history', 'trading_spot'],
  ['BTCUSDT@my-trades', 'trading_spot'],
  ['BTCUSDTPERP@order-info', 'trading_futures'],
  ['BTCUSDTPERP@order-history', 'trading_futures'],
  ['BTCUSDTPERP@my-trades', 'trading_futures'],
  ['position-info', 'trading_futures'],
] as const;

/** So many that a socket cannot subscribe to all of their channels. */
const many = Array.from({ length: 300 }, (_, index): InstrumentSpec => ({
  market: 'spot',
  status: 'trading',
  symbol: `X${index}USDT`,
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.001',
  minQuantity: '0.001',
  maxQuantity: '1000',
  minNotional: '5',
}));

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(74, { instruments: many });
});
afterAll(() => desk.stop());

async function ask(socket: RawSocket, message: object): Promise<Frame> {
  socket.send(message);
  return socket.next((frame) => 'success' in frame);
}

describe('private channels', () => {
  it.each(privateChannels)('%s wants a login, and %s', async (channel, needed) => {
    const stranger = await RawSocket.open(desk.running.wsUrl);
    for (const method of ['subscribe', 'unsubscribe']) {
      expect(await ask(stranger, { id: 1, method, data: [channel] })).toEqual({
        id: 1,
        method,
        success: false,
        error: 'login_required',
        data: [channel],
      });
    }
    stranger.close();
    for (const category of ['trading_spot', 'trading_futures', 'transfer', 'dictionary']) {
      const socket = await RawSocket.open(desk.running.wsUrl);
      const key = await desk.key(0, { [category]: 'read_only' });
      expect(await socket.login(key)).toMatchObject({ success: true });
      const may = category === needed;
      expect([category, await ask(socket, { id: 2, method: 'subscribe', data: [channel] })]).toMatchObject([
        category,
        may ? { success: true, data: [channel] } : { success: false, error: 'insufficient_permissions' },
      ]);
      await desk.asUser(await desk.login(0), 'DELETE', `/api/v1/identity/client/api-key/${key.publicKey}`, {
        auth2fa_code: desk.secondFactor(0),
      });
      expect(await socket.closed).toBe(1008);
    }
  });

  it('count their pushes per user', async () => {
    const [one, two] = [await RawSocket.open(desk.running.wsUrl), await RawSocket.open(desk.running.wsUrl)];
    await one.login(desk.alice);
    await two.login(desk.bob);
    for (const socket of [one, two]) await socket.subscribe(1, ['ETHUSDT@order-info']);
    const order = { symbol: 'ETHUSDT', side: 'buy', type: 'limit', price: '3000', quantity: '0.01' };
    for (const key of [desk.alice, desk.alice, desk.bob]) {
      await desk.good(key, 'POST', '/api/v2/exchange/client/order/spot', order);
    }
    const numbers: unknown[] = [];
    for (const socket of [one, one, two]) numbers.push((await socket.onChannel('ETHUSDT@order-info'))['seq']);
    expect(numbers).toEqual([1, 2, 1]);
    one.close();
    two.close();
    witness('sandbox/private-seq');
  });
});

describe('client messages', () => {
  it('unsubscribe and list_subscriptions refuse what subscribe does', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    const unsubscribe = { id: 1, method: 'unsubscribe' };
    expect(await ask(socket, { ...unsubscribe, data: ['NOPE@depth'] })).toMatchObject({ error: 'unknown_channel' });
    expect(await ask(socket, { ...unsubscribe, data: 'BTCUSDT@depth' })).toMatchObject({ error: 'bad_request' });
    expect(await ask(socket, { method: 'list_subscriptions' })).toMatchObject({ success: false, error: 'bad_request' });
    expect(await ask(socket, { id: '1', method: 'list_subscriptions' })).toMatchObject({ error: 'bad_request' });
    socket.close();
  });

  it('a subscription too many is refused whole', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    const names = many.flatMap(({ symbol }) => ['depth', 'trades', 'ticker'].map((kind) => `${symbol}@${kind}`));
    const more = many.map(({ symbol }) => `${symbol}.1m@candles`);
    expect(await socket.subscribe(1, names)).toMatchObject({ success: true });
    expect(await socket.subscribe(2, more)).toMatchObject({ success: false, error: 'limit_reached', data: more });
    expect((await ask(socket, { id: 3, method: 'list_subscriptions' }))['data']).toHaveLength(names.length);
    expect(await socket.subscribe(4, more.slice(0, 100))).toMatchObject({ success: true });
    socket.close();
  });

  it('the same id twice, an id that is 0 or broken, and the same channel again are answered each for itself', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    for (const id of [7, 7, 0, -1, 1.5]) {
      expect(await ask(socket, { id, method: 'subscribe', data: ['BTCUSDT@ticker'] })).toEqual({
        id,
        method: 'subscribe',
        success: true,
        data: ['BTCUSDT@ticker'],
      });
    }
    expect((await ask(socket, { id: 8, method: 'list_subscriptions' }))['data']).toEqual(['BTCUSDT@ticker']);
    socket.close();
  });

  it('everything before the login is answered, and a login after it works', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    expect(await ask(socket, { id: 1, method: 'subscribe', data: ['position-info'] })).toMatchObject({
      error: 'login_required',
    });
    expect(await ask(socket, { id: 2, method: 'subscribe', data: ['BTCUSDT@depth'] })).toMatchObject({ success: true });
    expect(await socket.login(desk.alice)).toEqual({ method: 'auth', success: true });
    expect(await ask(socket, { id: 3, method: 'subscribe', data: ['position-info'] })).toMatchObject({ success: true });
    // A second login may change the user; what was private then ends.
    expect(await socket.login(desk.bob)).toEqual({ method: 'auth', success: true });
    expect((await ask(socket, { id: 4, method: 'list_subscriptions' }))['data']).toEqual(['BTCUSDT@depth']);
    socket.close();
  });

  it('a login with another key of the user ends the channels that it may not read', async () => {
    const socket = await RawSocket.open(desk.running.wsUrl);
    const traded = await desk.key(0, { trading_spot: 'read_only', trading_futures: 'read_only' });
    await socket.login(traded);
    await socket.subscribe(1, ['BTCUSDT@depth', 'BTCUSDT@order-info', 'position-info']);
    await socket.login(await desk.key(0, { trading_futures: 'read_only' }));
    expect((await ask(socket, { id: 2, method: 'list_subscriptions' }))['data']).toEqual([
      'BTCUSDT@depth',
      'position-info',
    ]);
    socket.close();
  });

  it('a key that expires while the clock is moved hears nothing of what comes after', async () => {
    const moved = await openDesk(76);
    const day = 24 * 3_600_000;
    const socket = await RawSocket.open(moved.running.wsUrl);
    await socket.login(await moved.key(0, { trading_spot: 'read_only' }));
    await socket.subscribe(1, ['CLNTF@my-balances']);
    await socket.onChannel('CLNTF@my-balances');
    await moved.advance(90 * day - 60_000);
    const out = { currency: 'USDT', network: 'TRC20', address: 'Tsomewhere', amount: '10' };
    await moved.good(moved.alice, 'POST', '/api/v1/wallet/create-and-submit-crypto-out', out);
    // It leaves a minute and a half after the end of the key.
    await moved.advance(150_000);
    expect(await socket.closed).toBe(1008);
    const heard = socket.frames.filter((frame) => frame['channel'] === 'CLNTF@my-balances');
    expect(heard).toMatchObject([{ data: [{ account: 'funding', locked: '11' }] }]);
    await moved.stop();
  });

  it('a ping every 20 to 25 seconds keeps a connection whose limit is 30', async () => {
    // The same ratio on a thousandth of the time: pings at 22 of 30, silence beyond.
    const short = await openDesk(75, { idleCloseMs: 600 });
    const lively = await RawSocket.open(short.running.wsUrl);
    const silent = await RawSocket.open(short.running.wsUrl);
    const pings = setInterval(() => lively.send({ method: 'ping' }), 440);
    expect(await silent.closed).toBe(1000);
    for (let count = 0; count < 2; count++) await lively.next((frame) => 'pong' in frame);
    expect(lively.socket.readyState).toBe(lively.socket.OPEN);
    clearInterval(pings);
    lively.close();
    await short.stop();
    witness('limit/ping-interval');
  });
});
