/**
 * `exchange.overrides` on both sides: every assumed operation, the assumed channel and the P2P socket moved elsewhere, in
 * the sandbox and in the client alike. What is documented stays where it is and is refused by either.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { endpointRows } from '../../src/exchange/interface/endpoint-rows.ts';
import { exchangeOptions, type ExchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { VenueEvent } from '../../src/model/venue.ts';
import { totp } from '../model-check/signing.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { RawSocket, send } from '../conformance/raw-client.ts';
import { realClock } from './clocks.ts';
import { until } from './waiting.ts';

const assumed = endpointRows.filter((row) => row.provenance === 'assumed');
const overrides: ExchangeOptions['overrides'] = {
  endpoints: Object.fromEntries(assumed.map(({ name, path }) => [name, { path: `/moved${path}` }])),
  channels: { volumeRatio: 'RATIO@moved' },
  p2pSocket: { path: '/moved/p2p', tokenParameter: 'jwt' },
};

let running: RunningSandbox;
const opened: Exchange[] = [];

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 5, overrides });
});
afterAll(async () => {
  for (const exchange of opened) await exchange.close();
  await running.stop();
});

function open(ours: ExchangeOptions['overrides']): Exchange {
  const { restUrl, gatewayUrl, wsUrl, users } = running;
  const { publicKey, secretKey } = users[0]!.apiKey;
  const exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl, wsUrl, overrides: ours }),
    credentials: createCredentials(publicKey, secretKey),
    clock: realClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
  opened.push(exchange);
  return exchange;
}

const order = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '20000',
  quantity: '0.001',
} as const;

describe('overrides of both sides', () => {
  it('trade, cancel, list and look up through moved paths', async () => {
    const exchange = open(overrides);
    const venue = exchange.venue([{ symbol: 'BTCUSDT', market: 'spot' }]);
    const events: VenueEvent[] = [];
    venue.listen((told) => events.push(...told));
    const outcome = (intentId: string): VenueEvent | undefined =>
      events.find((event) => event.kind === 'outcome' && event.intentId === intentId);
    venue.send(
      { kind: 'create', intentId: 'c', lane: 'create', order: { ...order, clientOrderId: 'o-1' } },
      () => 'go',
    );
    await until(() => outcome('c') !== undefined, 'the outcome of the order');
    const active = await exchange.orders.active();
    expect(active).toMatchObject({ kind: 'complete', items: [{ clientOrderId: 'o-1', status: 'new' }] });
    const orderId = active.kind === 'complete' ? (active.items[0]?.orderId ?? '') : '';
    expect(await exchange.orders.one(orderId)).toMatchObject({ kind: 'value', value: { orderId } });
    const cancel = {
      kind: 'cancel',
      intentId: 'x',
      lane: 'cancel',
      symbol: 'BTCUSDT',
      market: 'spot',
      orderId,
    } as const;
    venue.send(cancel, () => 'go');
    await until(() => outcome('x') !== undefined, 'the outcome of the cancel');
    expect(outcome('x')).toMatchObject({ outcome: { kind: 'accepted', order: { status: 'canceled' } } });
  });

  it('hear the moved channel under its new name, and not under the old one', async () => {
    const { channels } = open(overrides);
    const name = channels.name('volumeRatio');
    expect(name).toBe('RATIO@moved');
    const socket = await RawSocket.open(running.wsUrl);
    expect(await socket.subscribe(1, ['VOLUME@ratio'])).toMatchObject({ success: false, error: 'unknown_channel' });
    expect(await socket.subscribe(2, [name])).toMatchObject({ success: true, data: [name] });
    const push = await socket.onChannel(name);
    expect(channels.parse(String(push['channel']))).toMatchObject({ kind: 'volumeRatio' });
    socket.close();
  });

  it('log in and follow P2P at the moved socket', async () => {
    const exchange = open(overrides);
    const { login, password, auth2faSecret } = running.users[0]!;
    const auth2faCode = totp(auth2faSecret, running.sandbox.now());
    expect(await exchange.money.identity.login({ login, password, auth2faCode })).toMatchObject({ kind: 'value' });
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    // The right address asks for the token; the old one is nothing any more.
    expect((await send(running.restUrl, 'GET', '/moved/p2p?jwt=x', headers)).status).toBe(401);
    expect((await send(running.restUrl, 'GET', '/websocket/p2p?token=x', headers)).status).toBe(404);
  });

  it('answer no assumed operation at its old path, and every documented one', async () => {
    for (const { method, path } of assumed) {
      const old = await send(running.restUrl, method, path.replaceAll(/\{\w+\}/g, 'x'), {});
      expect([method, path, old.status]).toEqual([method, path, 404]);
    }
    for (const { name, method, path } of endpointRows.filter((row) => row.provenance === 'documented')) {
      const reply = await send(running.restUrl, method, path.replaceAll(/\{\w+\}/g, 'x'), {});
      expect([name, reply.status === 404]).toEqual([name, false]);
    }
  });
});

describe('overrides of one side', () => {
  it('find nothing, and say so', async () => {
    const exchange = open({ endpoints: {}, channels: {} });
    expect((await exchange.orders.active()).kind).toBe('failed');
  });

  it.each([
    [{ endpoints: { ticker: { path: '/x' } } }, 'override_refused'],
    [{ endpoints: { tikcer: { path: '/x' } } }, 'override_unknown'],
    [{ channels: { depth: 'x' } }, 'override_refused'],
  ])('of a documented or unknown row are refused by both: %j', async (wrong, code) => {
    await expect(startSandbox({ clock: realClock, overrides: wrong })).rejects.toMatchObject({ code });
    expect(() => open({ endpoints: {}, channels: {}, ...wrong })).toThrow(expect.objectContaining({ code }));
  });
});
