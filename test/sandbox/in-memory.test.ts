import { describe, expect, it } from 'vitest';
import type { HttpMethod, HttpResult, SocketConnection } from '../../src/model/ports.ts';
import { prepareSecret, signRest, signSocketLogin } from '../../src/exchange/interface/signature.ts';
import { totp } from '../model-check/signing.ts';
import { createInMemorySandbox, type InMemorySandbox } from '../../src/sandbox/in-memory.ts';
import { ManualClock } from './manual-clock.ts';

function call(sandbox: InMemorySandbox, clock: ManualClock, method: HttpMethod, path: string, body = ''): HttpResult {
  const { publicKey, secretKey } = sandbox.users[0]!.apiKey;
  const timestamp = String(Math.floor(clock.now()));
  const headers = {
    'X-API-Key': publicKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signRest(prepareSecret(secretKey), timestamp, method, path, body),
  };
  const results: HttpResult[] = [];
  sandbox.http.request({ url: `${sandbox.restUrl}${path}`, method, headers, body }, 1000, (done) => results.push(done));
  expect(results).toEqual([]);
  clock.advance(0);
  const [result] = results;
  if (result === undefined) throw new Error('no answer');
  return result;
}

describe('the sandbox in memory', () => {
  it('answers requests and pushes frames on a clock of the test', () => {
    const clock = new ManualClock();
    const sandbox = createInMemorySandbox({ clock, seed: 3, market: 'none' });
    const frames: Record<string, unknown>[] = [];
    const closes: number[] = [];
    const socket = sandbox.sockets.connect(`${sandbox.wsUrl}/websocket/exchange`, {
      open: () => frames.push({ open: true }),
      message: (text) => frames.push(JSON.parse(text) as Record<string, unknown>),
      close: (code) => closes.push(code),
    });
    clock.advance(0);
    const { publicKey, secretKey } = sandbox.users[0]!.apiKey;
    const signature = signSocketLogin(prepareSecret(secretKey), publicKey, clock.now());
    socket.send(JSON.stringify({ method: 'auth', key: publicKey, timestamp: clock.now(), signature }));
    socket.send(JSON.stringify({ id: 1, method: 'subscribe', data: ['BTCUSDT@order-info'] }));
    clock.advance(0);
    const body = JSON.stringify({ symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' });
    const result = call(sandbox, clock, 'POST', '/api/v2/exchange/client/order/spot', body);
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    clock.advance(0);
    expect(frames).toMatchObject([
      { open: true },
      { method: 'auth', success: true },
      { method: 'subscribe', success: true },
      { channel: 'BTCUSDT@order-info', seq: 1 },
    ]);
    clock.advance(40_000);
    expect(closes).toEqual([1000]);
    sandbox.stop();
  });

  it('has the P2P socket, too: events, chat and a refusal without a good token', () => {
    const clock = new ManualClock();
    const memory = createInMemorySandbox({ clock, seed: 3, market: 'none' });
    const token = (who: number): string => {
      const { login, password, auth2faSecret } = memory.users[who]!;
      const body = JSON.stringify({ login, password, auth2fa_code: totp(auth2faSecret, clock.now()) });
      const result = call(memory, clock, 'POST', '/api/v1/auth/login', body);
      return result.kind === 'response' ? (JSON.parse(result.body) as { token: string }).token : '';
    };
    const connect = (query: string, frames: unknown[], closes: number[] = []): SocketConnection =>
      memory.sockets.connect(`${memory.wsUrl}/websocket/p2p${query}`, {
        open: () => {},
        message: (text) => frames.push(JSON.parse(text)),
        close: (code) => closes.push(code),
      });
    const closes: number[] = [];
    connect('?token=wrong', [], closes);
    connect('', [], closes);
    const told: unknown[] = [];
    const alice = connect(`?token=${token(0)}`, told);
    const bob = connect(`?token=${token(1)}`, []);
    clock.advance(0);
    expect(closes).toEqual([1006, 1006]);
    const body = { marketId: 'USDTRUB', side: 'sell', price: '95', amount: '50', minLimit: '10', maxLimit: '10000' };
    const terms = JSON.stringify({ ...body, paymentMethodIds: ['1'] });
    call(memory, clock, 'POST', '/api/v1/p2p/client/advertisement', terms);
    alice.send(JSON.stringify({ event: 'message', data: { roomId: 'room-17', text: 'hello' } }));
    clock.advance(0);
    expect(told).toMatchObject([{ event: 'advertisement', data: { status: 'active' } }, { event: 'error' }]);
    bob.close();
    alice.close();
    clock.advance(0);
    const sent: boolean[] = [];
    alice.send('{"method":"ping"}', (ok) => sent.push(ok));
    clock.advance(0);
    expect([sent, told.length]).toEqual([[false], 2]);
    memory.stop();
  });

  it('ignores client order ids when they are switched off', () => {
    const clock = new ManualClock();
    const sandbox = createInMemorySandbox({ clock, seed: 3, market: 'none', clientOrderIds: false });
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' };
    for (const clientOrderId of ['a', 'a', 'not\ta form that they may have']) {
      const body = JSON.stringify({ ...order, clientOrderId });
      const result = call(sandbox, clock, 'POST', '/api/v2/exchange/client/order/spot', body);
      expect(result).toMatchObject({ status: 200, body: expect.not.stringContaining('clientOrderId') });
    }
    sandbox.stop();
  });

  it('loses answers where a fault says so', () => {
    const clock = new ManualClock();
    const sandbox = createInMemorySandbox({ clock, seed: 3, market: 'none' });
    const fault = JSON.stringify({ rules: [{ match: { path: '/api/v1/auth/me' }, fault: 'drop', times: 1 }] });
    expect(call(sandbox, clock, 'POST', '/sandbox/faults', fault)).toMatchObject({ status: 200 });
    expect(call(sandbox, clock, 'GET', '/api/v1/auth/me')).toMatchObject({ kind: 'unknown' });
    expect(call(sandbox, clock, 'GET', '/api/v1/auth/me')).toMatchObject({ kind: 'response', status: 200 });
    sandbox.stop();
  });

  it('moves a withdrawal at its time without being asked, and tells', () => {
    const clock = new ManualClock();
    const memory = createInMemorySandbox({ clock, seed: 4, market: 'none' });
    // The timers of the exchange were last looked at when funding was the next thing due.
    clock.advance(1);
    const body = JSON.stringify({ currency: 'USDT', network: 'TRC20', address: 'Toutside', amount: '10' });
    const made = call(memory, clock, 'POST', '/api/v1/wallet/create-and-submit-crypto-out', body);
    expect(made).toMatchObject({ kind: 'response', status: 200 });
    const { accounts, money } = memory.sandbox.exchange;
    const query = { from: 0, to: Number.POSITIVE_INFINITY, limit: 10, before: Number.POSITIVE_INFINITY };
    const status = (): unknown => money.transactions.list('u1', { type: 'withdrawal' }, query).items[0]?.status;
    clock.advance(89_999);
    expect(status()).toBe('submitted');
    clock.advance(1);
    expect(status()).toBe('processing');
    clock.advance(60_000);
    expect(status()).toBe('completed');
    expect(accounts.wallet('u1', 'funding').pocket('USDT').unavailable.toFixed()).toBe('0');
    memory.stop();
  });
});
