/** The P2P socket against the real sandbox: events for their people, one socket at a time, reconnects, tokens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { P2pEventBuffer } from '../../../../src/exchange/client/sockets/p2p-event-buffer.ts';
import type { P2pSocket } from '../../../../src/exchange/client/sockets/p2p-socket.ts';
import type { SocketState } from '../../../../src/exchange/client/sockets/channel-source.ts';
import { valueOf } from '../../../../src/exchange/client/operations/answer.ts';
import { createWsTransport } from '../../../../src/exchange/client/sockets/socket-transport.ts';
import { createExchange, type Exchange } from '../../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../../src/exchange/options.ts';
import { readP2pFrame, type P2pEvent } from '../../../../src/exchange/wire/p2p/p2p-frames.ts';
import type { Advertisement, P2pTrade } from '../../../../src/model/funds/p2p.ts';
import { createCredentials } from '../../../../src/exchange/client/credentials.ts';
import { silentLogger, type SocketConnection, type SocketTransport } from '../../../../src/model/ports.ts';
import { seededRandom } from '../../../../src/model/random.ts';
import type { MoneyOutcome } from '../../../../src/model/result.ts';
import { totp } from '../../../model-check/signing.ts';
import { startSandbox, type RunningSandbox } from '../../../../src/sandbox/server.ts';
import { realClock } from '../../clocks.ts';
import { until } from '../../waiting.ts';

const wsTransport = createWsTransport();

const terms = {
  marketId: 'USDTRUB',
  side: 'sell',
  price: '95.5',
  amount: '100',
  minLimit: '500',
  maxLimit: '9550',
  paymentMethodIds: ['1'],
} as const;

/** Real connections, kept so that a test can cut them. */
const connections: SocketConnection[] = [];
const socketTransport: SocketTransport = {
  connect(url, handlers) {
    const connection = wsTransport.connect(url, handlers);
    connections.push(connection);
    return connection;
  },
};

let running: RunningSandbox;
let alice: Exchange;
let bob: Exchange;

function exchangeAt(index: number): Exchange {
  const { restUrl, wsUrl, users } = running;
  const { publicKey, secretKey } = users[index]!.apiKey;
  return createExchange({
    options: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl: restUrl, wsUrl }),
    credentials: createCredentials(publicKey, secretKey),
    clock: realClock,
    random: seededRandom(1),
    logger: silentLogger,
    socketTransport,
  });
}

async function login(exchange: Exchange, index: number): Promise<void> {
  const { login: name, password, auth2faSecret } = running.users[index]!;
  const auth2faCode = totp(auth2faSecret, running.sandbox.now());
  valueOf(await exchange.money.identity.login({ login: name, password, auth2faCode }));
}

beforeAll(async () => {
  running = await startSandbox({ clock: realClock, seed: 51, market: 'none' });
  alice = exchangeAt(0);
  bob = exchangeAt(1);
  await login(alice, 0);
  await login(bob, 1);
});
afterAll(async () => {
  await alice.close();
  await bob.close();
  await running.stop();
});

interface Ear {
  readonly socket: P2pSocket;
  readonly events: P2pEvent[];
  readonly states: SocketState[];
  readonly refusals: string[];
}

async function listen(exchange: Exchange): Promise<Ear> {
  const ear: Ear = { socket: exchange.p2pSocket(), events: [], states: [], refusals: [] };
  ear.socket.listen({
    event: (event) => ear.events.push(event),
    state: (state) => ear.states.push(state),
    refused: (code) => ear.refusals.push(code),
  });
  ear.socket.start();
  await until(() => ear.socket.state.kind === 'open', 'the P2P socket opens');
  return ear;
}

async function accepted<T>(send: (done: (outcome: MoneyOutcome<T>) => void) => void): Promise<T> {
  const outcome = await new Promise<MoneyOutcome<T>>(send);
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

const dispatch = { lane: 'reconcile' } as const;

describe('the P2P socket', () => {
  it('tells advertisements, trades with decoded amounts, and chat; what is no message of ours is refused', async () => {
    const maker = await listen(alice);
    const taker = await listen(bob);
    const ad = await accepted<Advertisement>((done) =>
      alice.money.send({ kind: 'advertise', ...terms }, dispatch, done),
    );
    const request = { advertisementId: ad.advertisementId, amount: '10', paymentMethodId: '1' };
    const trade = await accepted<P2pTrade>((done) => bob.money.send({ kind: 'respond', ...request }, dispatch, done));
    const told = (ear: Ear): P2pTrade[] => ear.events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
    await until(() => told(maker).length > 0 && told(taker).length > 0, 'both sides hear of the trade');
    expect(told(maker)[0]).toEqual(trade);
    expect(trade).toMatchObject({ volume: '10', amount: '955', price: '95.5' });
    expect(maker.events.some((event) => event.kind === 'advertisement')).toBe(true);

    expect(taker.socket.say(trade.roomId, 'hello')).toBe(true);
    const lines = (ear: Ear): string[] =>
      ear.events.flatMap((event) => (event.kind === 'message' ? [event.message.text] : []));
    await until(() => lines(maker).includes('hello') && lines(taker).includes('hello'), 'the chat line arrives');
    taker.socket.say('room-999', 'nobody');
    await until(() => taker.refusals.length > 0, 'the line to a foreign room is refused');
    await accepted((done) => bob.money.send({ kind: 'cancelTrade', tradeId: trade.tradeId }, dispatch, done));
    await maker.socket.stop();
    await taker.socket.stop();
    expect(maker.socket.state.kind).toBe('stopped');
    expect(maker.socket.say(trade.roomId, 'late')).toBe(false);
  });

  it('comes back with a new generation after a lost connection, once per loss', async () => {
    const ear = await listen(alice);
    connections.at(-1)!.terminate();
    await until(() => ear.states.some((state) => state.kind === 'open' && state.generation === 2), 'it reconnects');
    expect(ear.states.map((state) => state.kind)).toEqual(['connecting', 'open', 'lost', 'connecting', 'open']);
    await ear.socket.stop();
  });

  it('asks for a login when there is none or the exchange does not take its token', async () => {
    const reasons: string[] = [];
    const stranger = exchangeAt(1);
    const bare = stranger.p2pSocket((reason) => reasons.push(reason));
    bare.start();
    expect(reasons).toEqual(['there is no login, or it is over']);
    expect(bare.state.kind).toBe('lost');
    stranger.login.set({ token: 'forged', expiresAt: realClock.now() + 3_600_000 });
    await until(() => reasons.length > 1, 'the forged token is refused');
    expect(reasons[1]).toContain('does not take');
    await bare.stop();
    await stranger.close();
  });
});

describe('readP2pFrame', () => {
  it('never throws and names what it cannot read', () => {
    for (const text of ['', '[]', '1', '{"event":1}', '{"event":"trade"}', '{"event":"trade","data":{"id":1}}']) {
      expect(readP2pFrame(text), text).toMatchObject({ kind: 'unreadable', problem: expect.any(String) });
    }
    expect(readP2pFrame('{"event":"other","data":{}}')).toEqual({
      kind: 'unreadable',
      problem: 'unknown event (other)',
    });
    expect(readP2pFrame('{"pong":1}')).toEqual({ kind: 'pong' });
    expect(readP2pFrame('{"event":"error","data":{"code":"bad_request"}}')).toEqual({
      kind: 'error',
      code: 'bad_request',
    });
  });
});

describe('P2pEventBuffer', () => {
  const message = (text: string): P2pEvent => ({
    kind: 'message',
    message: { roomId: 'r', userId: 'u', text, createdAt: 1 },
  });

  it('gives one gap in place of everything when too much waits, and what came before its close', async () => {
    const buffer = new P2pEventBuffer(2);
    for (const text of ['a', 'b', 'c']) buffer.push(message(text));
    buffer.push(message('d'));
    buffer.close();
    buffer.push(message('e'));
    expect(await buffer.take()).toEqual({ kind: 'gap', reason: 'more than 2 events waited' });
    expect(await buffer.take()).toEqual({ kind: 'event', event: message('d') });
    expect(await buffer.take()).toBeNull();
  });

  it('wakes its reader, and keeps only the newest state of an advertisement that waits', async () => {
    const buffer = new P2pEventBuffer();
    const first = buffer.take();
    buffer.push(message('a'));
    expect(await first).toEqual({ kind: 'event', event: message('a') });
    const ad = await accepted<Advertisement>((done) =>
      alice.money.send({ kind: 'advertise', ...terms }, dispatch, done),
    );
    buffer.push({ kind: 'advertisement', advertisement: ad });
    buffer.push(message('b'));
    buffer.push({ kind: 'advertisement', advertisement: { ...ad, price: '97' } });
    buffer.close();
    expect(await buffer.take()).toMatchObject({ event: { advertisement: { price: '97' } } });
    expect(await buffer.take()).toEqual({ kind: 'event', event: message('b') });
    expect(await buffer.take()).toBeNull();
  });
});
