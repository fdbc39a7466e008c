/** A private stream of one spot symbol over a real socket, on a clock that the test moves. */
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { ExchangeSocket } from '../../src/exchange/client/sockets/socket.ts';
import { createWsTransport } from '../../src/exchange/client/sockets/socket-transport.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { PrivateStream } from '../../src/exchange/private-stream.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { VenueEvent } from '../../src/model/venue.ts';
import { SocketServer } from '../exchange/client/socket-server.ts';
import { ManualClock } from '../exchange/clocks.ts';

export async function privateStreamRig() {
  const clock = new ManualClock();
  const events: VenueEvent[] = [];
  const server = await SocketServer.start();
  const source = new ExchangeSocket({
    url: server.url,
    transport: createWsTransport(),
    clock,
    random: seededRandom(7),
    exchangeNow: () => clock.now(),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    logger: silentLogger,
  });
  const stream = new PrivateStream({
    source,
    channels: createChannelTable({}),
    symbols: [{ symbol: 'BTCUSDT', market: 'spot' }],
    clock,
    logger: silentLogger,
    emit: (told) => events.push(...told),
  });
  const close = async (): Promise<void> => {
    stream.stop();
    const stopped = source.stop();
    clock.advance(3000);
    await stopped;
    await server.close();
  };
  return { clock, events, server, source, stream, close };
}

export type PrivateStreamRig = Awaited<ReturnType<typeof privateStreamRig>>;
