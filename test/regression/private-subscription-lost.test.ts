/**
 * Found by the fault simulator (seed 30576, law L1): the exchange went silent between the answer to a login and the request for the
 * private channels, and came back before a pong was due. Pings were answered from then on, so the connection was kept; nobody
 * asked for the channels again, and no new risk was taken for as long as the connection lasted.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { ExchangeSocket } from '../../src/exchange/client/socket.ts';
import { createWsTransport } from '../../src/exchange/client/socket-transport.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { PrivateStream } from '../../src/exchange/private-stream.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { VenueEvent } from '../../src/model/venue.ts';
import { SocketServer } from '../exchange/client/socket-server.ts';
import { ManualClock } from '../exchange/clocks.ts';
import { until } from '../exchange/waiting.ts';

const clock = new ManualClock();
const events: VenueEvent[] = [];
let server: SocketServer;
let source: ExchangeSocket;
let stream: PrivateStream;

beforeEach(async () => {
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
    emit: (event) => events.push(event),
  });
});

afterEach(async () => {
  stream.stop();
  const stopped = source.stop();
  clock.advance(3000);
  await stopped;
  await server.close();
});

function asked(): number {
  return server.sessions.filter(({ messages }) => messages.some(({ kind }) => kind === 'subscription')).length;
}

it('makes the connection anew when no private channel speaks within 5 s of the login', async () => {
  server.losesSubscriptions = true;
  stream.start();
  source.start();
  await until(() => asked() === 1, 'the channels are asked for');
  server.losesSubscriptions = false;
  clock.advance(4999);
  expect(source.state).toEqual({ kind: 'open', generation: 1 });

  clock.advance(1);
  expect(source.state).toEqual({
    kind: 'lost',
    generation: 1,
    reason: 'logged in, and no word on any private channel',
  });
  clock.advance(500);
  await until(() => events.length > 0, 'the stream is ready');
  expect(events).toEqual([{ kind: 'stream', state: 'ready', generation: 2, reason: 'all channels subscribed' }]);

  // One that is heard stays, however long nothing happens on the account.
  clock.advance(6000);
  expect(source.state).toEqual({ kind: 'open', generation: 2 });
  expect(server.sessions).toHaveLength(2);
});
