/** The exchange WebSocket: login codes, subscriptions, bad input, idle close. Raw `ws` only. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { RawSocket, hmac, send, signed, totp, type KeyPair } from './raw-client.ts';
import { witness } from './sightings.ts';

let running: RunningSandbox;
let alice: KeyPair;
let token: string;

beforeAll(async () => {
  running = await startSandbox({ clock: systemClock, seed: 9, market: 'none', messagesPerSecondMax: 200 });
  alice = running.users[0]!.apiKey;
  const { login, password } = running.users[0]!;
  const body = JSON.stringify({ login, password, auth2fa_code: secondFactor() });
  token = ((await send(running.restUrl, 'POST', '/api/v1/auth/login', {}, body)).json as { token: string }).token;
});
afterAll(() => running.stop());

function secondFactor(): string {
  return totp(running.users[0]!.auth2faSecret, running.sandbox.now());
}

async function newKey(permissions: object, ipAddresses: readonly string[] = []): Promise<KeyPair> {
  const rows = Object.entries(permissions).map(([category, accessLevel]) => ({ category, accessLevel }));
  const body = JSON.stringify({ name: 'k', auth2fa_code: secondFactor(), permissions: rows, ipAddresses });
  const reply = await send(
    running.restUrl,
    'POST',
    '/api/v1/identity/client/api-key/create',
    { Authorization: `Bearer ${token}` },
    body,
  );
  expect(reply.status).toBe(200);
  return reply.json as KeyPair;
}

function deleteKey(key: KeyPair): Promise<{ status: number }> {
  const path = `/api/v1/identity/client/api-key/${key.publicKey}`;
  return send(
    running.restUrl,
    'DELETE',
    path,
    { Authorization: `Bearer ${token}` },
    JSON.stringify({ auth2fa_code: secondFactor() }),
  );
}

describe('login over WebSocket', () => {
  it('answers each of the five codes, and the socket goes on', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    const failed = (error: string): object => ({ method: 'auth', success: false, error });
    expect(await socket.login(alice, { key: 'abc' })).toEqual(failed('invalid_key_format'));
    expect(await socket.login(alice, { key: 7 })).toEqual(failed('invalid_key_format'));
    expect(await socket.login(alice, { key: 'a'.repeat(64) })).toEqual(failed('key_not_found'));
    expect(await socket.login(alice, { timestamp: Date.now() - 31_000 })).toEqual(failed('timestamp_out_of_range'));
    expect(await socket.login(alice, { timestamp: 'now' })).toEqual(failed('timestamp_out_of_range'));
    expect(await socket.login(alice, { signature: hmac('wrong', 'x') })).toEqual(failed('invalid_signature'));
    const elsewhere = await newKey({ trading_spot: 'full' }, ['10.0.0.1']);
    expect(await socket.login(elsewhere)).toEqual(failed('key_not_found'));
    await deleteKey(elsewhere);
    expect(await socket.login(elsewhere)).toEqual(failed('key_not_found'));
    expect(await socket.login(alice)).toEqual({ method: 'auth', success: true });
    socket.close();
  });

  it('a private channel needs login and permission; subscribe is all or nothing', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    expect(await socket.subscribe(1, ['BTCUSDT@depth', 'CLNTF@my-balances'])).toEqual({
      id: 1,
      method: 'subscribe',
      success: false,
      error: 'login_required',
      data: ['CLNTF@my-balances'],
    });
    socket.send({ id: 2, method: 'list_subscriptions' });
    expect(await socket.next((frame) => frame['id'] === 2)).toEqual({
      id: 2,
      method: 'list_subscriptions',
      success: true,
      data: [],
    });
    const weak = await newKey({ trading_futures: 'read_only' });
    await socket.login(weak);
    expect(await socket.subscribe(3, ['CLNTF@my-balances'])).toMatchObject({
      success: false,
      error: 'insufficient_permissions',
      data: ['CLNTF@my-balances'],
    });
    expect(await socket.subscribe(4, ['position-info', 'BTCUSDT@order-info'])).toMatchObject({
      success: false,
      error: 'insufficient_permissions',
      data: ['BTCUSDT@order-info'],
    });
    expect(await socket.subscribe(4, ['position-info', 'BTCUSDTPERP@order-info'])).toMatchObject({ success: true });
    expect(await socket.subscribe(5, ['BTCUSDT@depth', 'NOPE@depth', 'BTCUSDT@nothing'])).toMatchObject({
      success: false,
      error: 'unknown_channel',
      data: ['NOPE@depth', 'BTCUSDT@nothing'],
    });
    socket.send({ id: 6, method: 'unsubscribe', data: ['position-info'] });
    expect(await socket.next((frame) => frame['id'] === 6)).toMatchObject({ success: true, data: ['position-info'] });
    socket.send({ id: 7, method: 'list_subscriptions' });
    expect(await socket.next((frame) => frame['id'] === 7)).toMatchObject({ data: ['BTCUSDTPERP@order-info'] });
    await deleteKey(weak);
    expect(await socket.closed).toBe(1008);
    witness('sandbox/socket-permissions');
    witness('sandbox/all-or-nothing');
  });

  it('own events go to their user alone', async () => {
    const [mine, theirs] = [await RawSocket.open(running.wsUrl), await RawSocket.open(running.wsUrl)];
    await mine.login(alice);
    await theirs.login(running.users[1]!.apiKey);
    for (const socket of [mine, theirs]) await socket.subscribe(1, ['BTCUSDT@order-info']);
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };
    const placed = (await signed(running.restUrl, alice, 'POST', '/api/v2/exchange/client/order/spot', order)).json as {
      orderId: string;
    };
    expect(await mine.onChannel('BTCUSDT@order-info')).toMatchObject({ seq: 1, data: { orderId: placed.orderId } });
    theirs.send({ method: 'ping' });
    await theirs.next((frame) => 'pong' in frame);
    expect(theirs.frames).toEqual([]);
    mine.close();
    theirs.close();
  });
});

describe('bad input over WebSocket', () => {
  it('is answered, and the socket goes on', async () => {
    const socket = await RawSocket.open(running.wsUrl);
    const isError = (frame: object): boolean => 'error' in frame;
    for (const [text, error] of [
      ['{', 'invalid_json'],
      ['[]', 'invalid_json'],
      ['7', 'invalid_json'],
      ['{"method":"dance","id":4}', 'unknown_method'],
      ['{}', 'unknown_method'],
    ] as const) {
      socket.send(text);
      expect([text, await socket.next(isError)]).toMatchObject([text, { success: false, error }]);
    }
    socket.send(Buffer.from([1, 2, 3]));
    expect(await socket.next(isError)).toMatchObject({ error: 'invalid_json' });
    for (const data of [undefined, 'BTCUSDT@depth', [7], {}, []]) {
      socket.send({ id: 1, method: 'subscribe', data });
      expect(await socket.next(isError)).toMatchObject({
        id: 1,
        method: 'subscribe',
        success: false,
        error: 'bad_request',
      });
    }
    socket.send({ method: 'subscribe', data: ['BTCUSDT@depth'] });
    expect(await socket.next(isError)).toMatchObject({ id: null, success: false });
    expect(await socket.subscribe(9, ['BTCUSDT@depth', 'BTCUSDT@depth'])).toMatchObject({
      success: true,
      data: ['BTCUSDT@depth'],
    });
    socket.send({ method: 'ping' });
    const { pong } = await socket.next((frame) => 'pong' in frame);
    expect(Math.abs(Number(pong) - Date.now())).toBeLessThan(5000);
    socket.close();
  });

  it('bad UTF-8 ends the connection with 1007, an oversized frame with 1009, a flood with 1008', async () => {
    const utf8 = await RawSocket.open(running.wsUrl);
    // ws refuses to send it, so the frame is written by hand: masked text frame of two bytes with a zero mask.
    const raw = (utf8.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;
    raw.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]));
    expect(await utf8.closed).toBe(1007);
    const huge = await RawSocket.open(running.wsUrl);
    huge.send('x'.repeat(100_000));
    expect(await huge.closed).toBe(1009);
    const flood = await RawSocket.open(running.wsUrl);
    for (let count = 0; count < 400; count++) flood.send({ method: 'ping' });
    expect(await flood.closed).toBe(1008);
    expect((await send(running.restUrl, 'GET', '/api/v2/exchange/public/time', {})).status).toBe(200);
  });

  it('garbage instead of HTTP and wrong upgrade paths do not hurt', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(running.port, '127.0.0.1', () => socket.write('\u0000\u0001garbage\r\n\r\n'));
      let text = '';
      socket.on('data', (data) => (text += String(data)));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toContain('400 Bad Request');
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect((await send(running.restUrl, 'GET', '/websocket/nowhere', headers)).status).toBe(404);
    expect((await send(running.restUrl, 'GET', '/websocket/p2p?token=x', headers)).status).toBe(401);
  });
});

describe('time over WebSocket', () => {
  it('an expired key gets key_expired, and its open socket is closed', async () => {
    const bare = await newKey({ trading_spot: 'full' });
    const socket = await RawSocket.open(running.wsUrl);
    expect(await socket.login(bare)).toMatchObject({ success: true });
    const { now } = (
      await send(running.restUrl, 'POST', '/sandbox/clock', {}, JSON.stringify({ advanceMs: 90 * 86_400_000 }))
    ).json as { now: number };
    expect(await socket.closed).toBe(1008);
    const late = await RawSocket.open(running.wsUrl);
    expect(await late.login(bare, { timestamp: now })).toEqual({
      method: 'auth',
      success: false,
      error: 'key_expired',
    });
    late.close();
  });

  it('a silent client is closed, one that pings is not', async () => {
    const short = await startSandbox({ clock: systemClock, seed: 1, market: 'none', idleCloseMs: 300 });
    const silent = await RawSocket.open(short.wsUrl);
    const lively = await RawSocket.open(short.wsUrl);
    const openedAt = performance.now();
    const pings = setInterval(() => lively.send({ method: 'ping' }), 60);
    await silent.closed;
    const silentMs = performance.now() - openedAt;
    expect(silentMs).toBeGreaterThan(250);
    expect(silentMs).toBeLessThan(3000);
    lively.send({ method: 'ping' });
    await lively.next((frame) => 'pong' in frame);
    clearInterval(pings);
    lively.close();
    await short.stop();
  });

  it('a subscriber who does not read is disconnected', async () => {
    const small = await startSandbox({
      clock: systemClock,
      seed: 1,
      market: 'none',
      sendBufferBytesMax: 200_000,
      messagesPerSecondMax: 100_000,
    });
    const slow = await RawSocket.open(small.wsUrl);
    await slow.subscribe(1, ['BTCUSDT@depth']);
    slow.socket.pause();
    const key = small.users[0]!.apiKey;
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.001' };
    for (let price = 20_000; price < 20_400; price++) {
      await signed(small.restUrl, key, 'POST', '/api/v2/exchange/client/order/spot', {
        ...order,
        price: String(price),
      });
    }
    // Whole snapshots pile up until the bound is reached.
    for (let count = 0; count < 2000; count++) {
      slow.socket.send(
        JSON.stringify({ id: 1, method: count % 2 === 0 ? 'unsubscribe' : 'subscribe', data: ['BTCUSDT@depth'] }),
      );
      if (count % 100 === 0) await send(small.restUrl, 'GET', '/api/v2/exchange/public/time', {});
    }
    slow.socket.resume();
    expect(await slow.closed).toBe(1006);
    await small.stop();
  });
});
