import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelFrame, SocketState } from '../../../../src/exchange/client/sockets/channel-source.ts';
import { createCredentials } from '../../../../src/exchange/client/credentials.ts';
import { ExchangeSocket } from '../../../../src/exchange/client/sockets/socket.ts';
import { createWsTransport } from '../../../../src/exchange/client/sockets/socket-transport.ts';
import {
  silentLogger,
  type SocketConnection,
  type SocketHandlers,
  type SocketTransport,
} from '../../../../src/model/ports.ts';
import { seededRandom } from '../../../../src/model/random.ts';
import { ManualClock } from '../../clocks.ts';
import { until } from '../../waiting.ts';
import { SocketServer } from '../socket-server.ts';

const wsTransport = createWsTransport();

const PUBLIC = 'ab'.repeat(32);
const SECRET = 'cd'.repeat(32);

let server: SocketServer;
let clock: ManualClock;
const started: ExchangeSocket[] = [];

beforeEach(async () => {
  server = await SocketServer.start();
  clock = new ManualClock();
});

afterEach(async () => {
  for (const socket of started.splice(0)) {
    const stopped = socket.stop();
    clock.advance(3000);
    await stopped;
  }
  await server.close();
});

interface Seen {
  readonly socket: ExchangeSocket;
  readonly states: SocketState[];
  readonly frames: ChannelFrame[];
  readonly refused: [string, string][];
  readonly acknowledged: string[];
}

function socketOf(options: { login?: boolean; transport?: SocketTransport } = {}): Seen {
  const socket = new ExchangeSocket({
    url: server.url,
    transport: options.transport ?? wsTransport,
    clock,
    random: seededRandom(7),
    exchangeNow: () => clock.now(),
    credentials: options.login === true ? createCredentials(PUBLIC, SECRET) : null,
    logger: silentLogger,
  });
  started.push(socket);
  const seen: Seen = { socket, states: [], frames: [], refused: [], acknowledged: [] };
  socket.listen({
    frame: (frame) => seen.frames.push(frame),
    state: (state) => seen.states.push(state),
    refused: (channel, error) => seen.refused.push([channel, error]),
    acknowledged: (channels) => seen.acknowledged.push(...channels),
  });
  return seen;
}

async function opened(seen: Seen): Promise<void> {
  await until(() => seen.socket.state.kind === 'open', 'the socket opens');
}

/** Waits until the loss is noticed, then lets time pass until the next connection is begun. */
async function reconnecting(seen: Seen): Promise<void> {
  await until(() => seen.socket.state.kind === 'lost', 'the loss is noticed');
  for (let count = 0; count < 4000 && seen.socket.state.kind === 'lost'; count++) clock.advance(100);
  expect(seen.socket.state.kind).toBe('connecting');
}

describe('login', () => {
  it('is the first message, signed, and nothing is subscribed before it is answered', async () => {
    const seen = socketOf({ login: true });
    seen.socket.subscribe(['CLNTF@my-balances']);
    seen.socket.start();
    await opened(seen);
    await until(() => server.last.channels.size === 1, 'the subscription arrives');
    const [auth, subscribe] = server.last.messages;
    const timestamp = Math.round(clock.now());
    const signature = createHmac('sha256', SECRET).update(`${timestamp}\n${PUBLIC}`).digest('hex');
    expect(auth).toEqual({ kind: 'auth', key: PUBLIC, timestamp, signature });
    expect(subscribe).toMatchObject({ kind: 'subscription', method: 'subscribe', channels: ['CLNTF@my-balances'] });
  });

  it.each(['invalid_key_format', 'invalid_signature', 'key_expired', 'key_not_found'])(
    'tries again after %s',
    async (error) => {
      server.loginError = error;
      const seen = socketOf({ login: true });
      seen.socket.start();
      await reconnecting(seen);
      expect(seen.states).toContainEqual({ kind: 'lost', generation: 1, reason: `login refused: ${error}` });
      server.loginError = null;
      await opened(seen);
      expect(server.sessions).toHaveLength(2);
    },
  );

  it('tries again after timestamp_out_of_range', async () => {
    server.loginError = 'timestamp_out_of_range';
    const seen = socketOf({ login: true });
    seen.socket.start();
    await reconnecting(seen);
    server.loginError = null;
    await opened(seen);
  });

  it('gives up on an unanswered login after 10 s', async () => {
    server.mute = true;
    const seen = socketOf({ login: true });
    seen.socket.start();
    await until(() => server.sessions[0]?.messages.length === 1, 'the login arrives');
    clock.advance(9999);
    expect(seen.socket.state.kind).toBe('connecting');
    clock.advance(1);
    expect(seen.socket.state).toMatchObject({ kind: 'lost', reason: 'login took more than 10 s' });
  });
});

describe('a connection', () => {
  it('delivers frames with channel, seq, time and generation, and the raw text first', async () => {
    const seen = socketOf();
    const raw: [string, number][] = [];
    seen.socket.onRaw((text, _receiveUs, generation) => raw.push([text, generation]));
    seen.socket.start();
    await opened(seen);
    server.push('BTCUSDT@depth', { type: 'snapshot' }, 5);
    server.last.socket.send('garbage');
    server.push('BTCUSDT@ticker', 1);
    await until(() => seen.frames.length === 2, 'both frames arrive');
    expect(seen.frames[0]).toMatchObject({ channel: 'BTCUSDT@depth', seq: 5, ts: 1_700_000_000_000, generation: 1 });
    expect(seen.frames[1]?.seq).toBeNull();
    expect(raw.map(([text]) => text)[1]).toBe('garbage');
    expect(raw).toHaveLength(3);
    expect(seen.socket.counts).toMatchObject({ frames: 3, unreadable: 1, connects: 1 });
  });

  it('pings every 20 to 22 s and stays', async () => {
    const seen = socketOf();
    seen.socket.start();
    await opened(seen);
    for (let round = 1; round <= 3; round++) {
      for (let second = 0; second < 23; second++) clock.advance(1000);
      await until(() => seen.socket.counts.frames === round, `pong ${round} arrives`);
      expect(seen.socket.ageMs).toBe(0);
    }
    expect(server.last.messages.map(({ kind }) => kind)).toEqual(['ping', 'ping', 'ping']);
    expect(seen.socket.state).toMatchObject({ kind: 'open', generation: 1 });
  });

  it('finds a half-open connection by silence and connects anew', async () => {
    const seen = socketOf();
    seen.socket.start();
    await opened(seen);
    expect(seen.socket.ageMs).toBeNull();
    server.push('BTCUSDT@depth', 1);
    await until(() => seen.socket.counts.frames === 1, 'a frame arrives');
    server.mute = true;
    for (let second = 0; second < 27; second++) clock.advance(1000);
    expect(seen.socket.ageMs).toBe(27_000);
    expect(seen.socket.state).toMatchObject({ kind: 'lost', reason: 'nothing received for 26 s' });
    server.mute = false;
    await reconnecting(seen);
    await opened(seen);
    expect(seen.socket.state.generation).toBe(2);
  });

  it('survives listeners and taps that throw', async () => {
    const seen = socketOf();
    seen.socket.onRaw(() => {
      throw new Error('tap');
    });
    seen.socket.listen({
      frame: () => {
        throw new Error('frame');
      },
      state: () => {
        throw new Error('state');
      },
    });
    seen.socket.start();
    await opened(seen);
    server.push('BTCUSDT@depth', 1);
    server.push('BTCUSDT@depth', 2);
    await until(() => seen.frames.length === 2, 'frames still arrive');
  });

  it('is given up when a frame exceeds the payload limit', async () => {
    const seen = socketOf();
    seen.socket.start();
    await opened(seen);
    server.push('BTCUSDT@depth', 'x'.repeat(5 * 1024 * 1024));
    await until(() => seen.socket.state.kind === 'lost', 'the socket is lost');
  });
});

describe('subscriptions', () => {
  it('are exactly the desired set after each of many reconnects', async () => {
    const seen = socketOf({ login: true });
    const desired = new Set<string>();
    const random = seededRandom(3);
    seen.socket.start();
    for (let round = 1; round <= 30; round++) {
      await opened(seen);
      for (let change = 0; change < 6; change++) {
        const channel = `S${Math.floor(random.next() * 10)}@depth`;
        if (random.next() < 0.6) {
          desired.add(channel);
          seen.socket.subscribe([channel]);
        } else {
          desired.delete(channel);
          seen.socket.unsubscribe([channel]);
        }
        if (change === 3) seen.socket.resubscribe(channel);
      }
      const wanted = [...desired].toSorted().join();
      await until(() => [...server.last.channels].toSorted().join() === wanted, `round ${round} has ${wanted}`);
      if (round % 2 === 0) server.last.socket.terminate();
      else seen.socket.reconnect('test');
      await reconnecting(seen);
    }
    expect(server.sessions.length).toBeGreaterThanOrEqual(30);
  });

  it('names the refused channel and keeps the others', async () => {
    server.forbidden = new Set(['B@my-trades']);
    const seen = socketOf();
    seen.socket.subscribe(['A@depth', 'B@my-trades', 'C@depth']);
    seen.socket.start();
    await opened(seen);
    await until(() => server.last.channels.size === 2, 'the others are subscribed');
    await until(() => seen.acknowledged.length === 2, 'and acknowledged');
    expect(seen.refused).toEqual([['B@my-trades', 'insufficient_permissions']]);
    expect(seen.acknowledged).toEqual(['A@depth', 'C@depth']);
  });
});

/** A transport in the test's hands, for what a real socket does too rarely. */
class HandTransport implements SocketTransport {
  readonly made: { readonly handlers: SocketHandlers; readonly sent: string[]; ok: boolean; terminated: number }[] = [];

  connect(_url: string, handlers: SocketHandlers): SocketConnection {
    const one = { handlers, sent: [] as string[], ok: true, terminated: 0 };
    this.made.push(one);
    return {
      bufferedBytes: 0,
      send: (text, sent) => {
        if (one.ok) one.sent.push(text);
        sent?.(one.ok);
      },
      close: () => handlers.close(1000, ''),
      terminate: () => {
        one.terminated += 1;
      },
    };
  }
}

describe('the state machine', () => {
  it('makes one reconnect of an error with a close, a close twice, and messages after the close', () => {
    const transport = new HandTransport();
    const seen = socketOf({ transport });
    seen.socket.start();
    const first = transport.made[0];
    first?.handlers.open();
    first?.handlers.close(1006, 'reset');
    first?.handlers.close(1006, 'reset');
    first?.handlers.message('{"channel":"BTCUSDT@depth","data":1}');
    first?.handlers.open();
    clock.advance(500);
    expect(transport.made).toHaveLength(2);
    expect(seen.frames).toEqual([]);
    expect(seen.states.map(({ kind }) => kind)).toEqual(['connecting', 'open', 'lost', 'connecting']);
    transport.made[1]?.handlers.open();
    first?.handlers.message('{"channel":"BTCUSDT@depth","data":1}');
    first?.handlers.close(1006, 'late');
    expect(seen.frames).toEqual([]);
    expect(seen.socket.state).toMatchObject({ kind: 'open', generation: 2 });
  });

  it('takes a frame that was not handed over as a lost connection, once', () => {
    const transport = new HandTransport();
    const seen = socketOf({ transport });
    seen.socket.start();
    const first = transport.made[0];
    first?.handlers.open();
    if (first !== undefined) first.ok = false;
    seen.socket.subscribe(['A@depth', 'B@depth']);
    expect(seen.socket.state).toMatchObject({ kind: 'lost', reason: 'a frame could not be sent' });
    expect(first?.terminated).toBe(1);
    clock.advance(500);
    transport.made[1]?.handlers.open();
    expect(transport.made[1]?.sent).toEqual(['{"id":2,"method":"subscribe","data":["A@depth","B@depth"]}']);
  });

  it('makes no more than 20 connections in 5 minutes', () => {
    const transport = new HandTransport();
    const seen = socketOf({ transport });
    seen.socket.start();
    for (let step = 0; step < 2999; step++) {
      const last = transport.made.at(-1);
      if (seen.socket.state.kind === 'connecting') last?.handlers.close(1006, 'no');
      clock.advance(100);
    }
    expect(transport.made.length).toBeLessThanOrEqual(20);
    expect(transport.made.length).toBeGreaterThan(10);
  });

  it('leaves no timer behind when stopped', async () => {
    const transport = new HandTransport();
    const seen = socketOf({ transport });
    seen.socket.start();
    transport.made[0]?.handlers.open();
    clock.advance(1000);
    await seen.socket.stop();
    expect(clock.timers).toBe(0);
    expect(seen.socket.state.kind).toBe('stopped');
    seen.socket.start();
    expect(transport.made).toHaveLength(1);
  });
});

describe('the ws transport', () => {
  it('reports a send on a closing or closed socket as not sent', async () => {
    const events: string[] = [];
    const connection = wsTransport.connect(server.url, {
      open: () => events.push('open'),
      message: () => {},
      close: () => events.push('close'),
    });
    connection.send('too early', (ok) => events.push(`early ${ok}`));
    await until(() => events.includes('open'), 'open');
    connection.close();
    connection.send('too late', (ok) => events.push(`closing ${ok}`));
    await until(() => events.includes('close'), 'close');
    connection.send('far too late', (ok) => events.push(`closed ${ok}`));
    expect(events).toEqual(['early false', 'open', 'closing false', 'close', 'closed false']);
  });

  it('hands over what came at once in turns: promises run between, and the close comes last', async () => {
    const events: string[] = [];
    wsTransport.connect(server.url, {
      open: () => events.push('open'),
      message: (text) => {
        events.push(text);
        void (async () => {
          for (let depth = 0; depth < 20; depth++) await Promise.resolve();
          events.push(`promise of ${text}`);
        })();
      },
      close: () => events.push('close'),
    });
    await until(() => events.includes('open') && server.sessions.length > 0, 'open');
    const { socket } = server.last;
    // Below the library's own framing, so that all of it leaves in one piece.
    const raw = Reflect.get(socket, '_socket') as Socket;
    raw.cork();
    for (const text of ['a', 'b', 'c', 'd']) socket.send(text);
    socket.close(1000);
    raw.uncork();
    await until(() => events.includes('close'), 'close');
    const each = ['a', 'b', 'c', 'd'].flatMap((text) => [text, `promise of ${text}`]);
    expect(events).toEqual(['open', ...each, 'close']);
  });

  it('reports close once when the connection is refused or terminated while connecting', async () => {
    const closes: number[] = [];
    const handlers = { open: () => {}, message: () => {}, close: (code: number) => closes.push(code) };
    wsTransport.connect('ws://127.0.0.1:1', handlers);
    wsTransport.connect(server.url, handlers).terminate();
    await until(() => closes.length === 2, 'both close');
    expect(closes).toEqual([1006, 1006]);
  });
});
