/**
 * A private channel that an exchange refused once (it had just come back, or was busy) was never asked for again on a connection
 * that stayed: no new risk until the next reconnect or start, and before the first `ready` nobody was told why.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { ExchangeSocket } from '../../src/exchange/client/socket.ts';
import { createWsTransport } from '../../src/exchange/client/socket-transport.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { PrivateStream } from '../../src/exchange/private-stream.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { SocketServer } from '../exchange/client/socket-server.ts';
import { ManualClock } from '../exchange/clocks.ts';
import { until } from '../exchange/waiting.ts';

const TRADES = 'BTCUSDT@my-trades';
const REFUSED = `lost: the exchange refused channel ${TRADES}: insufficient_permissions`;

let clock: ManualClock;
let told: string[];
let server: SocketServer;
let source: ExchangeSocket;
let stream: PrivateStream;

beforeEach(async () => {
  clock = new ManualClock();
  told = [];
  server = await SocketServer.start();
  source = new ExchangeSocket({
    url: server.url,
    transport: createWsTransport(),
    clock,
    random: seededRandom(7),
    exchangeNow: () => clock.now(),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    logger: silentLogger,
  });
  stream = new PrivateStream({
    source,
    channels: createChannelTable({}),
    symbols: [{ symbol: 'BTCUSDT', market: 'spot' }],
    clock,
    logger: silentLogger,
    emit: (event) => {
      if (event.kind === 'stream') told.push(`${event.state}: ${event.reason}`);
    },
  });
});

afterEach(async () => {
  stream.stop();
  const stopped = source.stop();
  clock.advance(3000);
  await stopped;
  await server.close();
});

/** Subscribe requests that named it. */
function asked(): number {
  return server.sessions
    .flatMap(({ messages }) => messages)
    .filter((one) => one.kind === 'subscription' && one.method === 'subscribe' && one.channels.includes(TRADES)).length;
}

async function refusedAtStart(): Promise<void> {
  server.forbidden = new Set([TRADES]);
  stream.start();
  source.start();
  await until(() => server.sessions[0]?.channels.size === 3, 'the others are subscribed');
  await until(() => told.length === 1, 'it is said');
}

it('is asked for again until it is accepted, and the stream is ready then', async () => {
  await refusedAtStart();
  expect(told).toEqual([REFUSED]);
  clock.advance(4999);
  expect(asked()).toBe(1);
  server.forbidden = new Set();
  clock.advance(1);
  await until(() => told.length === 2, 'the stream is ready');
  expect(told).toEqual([REFUSED, 'ready: all channels subscribed']);
  expect(server.sessions).toHaveLength(1);
  expect([...server.last.channels]).toContain(TRADES);
});

/** Whatever either side has sent is here when this resolves. */
async function exchanged(): Promise<void> {
  const { socket } = server.last;
  for (let way = 0; way < 2; way++) {
    const ponged = new Promise((resolve) => socket.once('pong', resolve));
    socket.ping();
    await ponged;
  }
}

it('is asked for at longer and longer waits, up to a minute, and told once', async () => {
  await refusedAtStart();
  const askedAfter: number[] = [];
  for (let second = 1; second <= 200; second++) {
    const before = asked();
    clock.advance(1000);
    await exchanged();
    if (asked() > before) askedAfter.push(second);
  }
  expect(askedAfter).toEqual([5, 15, 35, 75, 135, 195]);
  expect(told).toEqual([REFUSED]);
  expect(server.sessions).toHaveLength(1);
});

it('is not asked for while there is no connection, and not taken for ready', async () => {
  await refusedAtStart();
  server.last.socket.terminate();
  await until(() => source.state.kind === 'lost', 'the connection is lost');
  server.forbidden = new Set();
  clock.advance(4999);
  await until(() => told.length === 2, 'the stream is ready');
  expect(told).toEqual([REFUSED, 'ready: all channels subscribed']);
  clock.advance(60_000);
  expect(asked()).toBe(2);
});
