/**
 * A public frame that is torn may have held a change of the book. Without numbers nothing that follows shows it: the book went
 * on without the change, and was traded on. In a session nobody was told of such a frame at all.
 */
import { afterEach, expect, it } from 'vitest';
import { ExchangeSocket } from '../../src/exchange/client/sockets/socket.ts';
import { createWsTransport } from '../../src/exchange/client/sockets/socket-transport.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { pacedSource } from '../../src/session/clock/paced-source.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { createPublicStream } from '../../src/streams/public.ts';
import { SocketServer } from '../exchange/client/socket-server.ts';
import { until } from '../exchange/waiting.ts';
import { instruments } from '../streams/market-fixtures.ts';

const DEPTH = 'BTCUSDT@depth';
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** The public stream of a session, over a real socket. */
async function session() {
  const server = await SocketServer.start();
  const real = createSystemClock();
  const clock = new PacedClock(new VirtualClock(real.nowUs()), real);
  const socket = new ExchangeSocket({
    url: server.url,
    transport: createWsTransport(),
    clock: real,
    random: seededRandom(1),
    exchangeNow: () => real.now(),
    credentials: null,
    logger: silentLogger,
  });
  const discarded: string[] = [];
  const stream = createPublicStream({
    source: pacedSource(socket, clock, real),
    instruments,
    clock,
    onDiscarded: (symbol, reason) => discarded.push(`${symbol}: ${reason}`),
  });
  stream.start();
  stream.market.top('BTCUSDT');
  socket.start();
  endings.push(async () => {
    stream.stop();
    clock.stop();
    await socket.stop();
    await server.close();
  });
  await until(() => server.sessions.at(-1)?.channels.has(DEPTH) === true, 'the channel is subscribed');
  discarded.length = 0;
  const depth = (type: string, bid: string, seq: number | null): void =>
    server.push(DEPTH, { type, bids: [[bid, '1']], asks: [['100.02', '2']] }, seq);
  const frames = (count: number): Promise<void> => until(() => stream.counts.frames >= count, `${count} frames`);
  return { server, stream, depth, frames, discarded, best: () => stream.market.best('BTCUSDT')?.bidTicks };
}

it('gives up a book without numbers, and has it again with the next snapshot', async () => {
  const { server, stream, depth, frames, discarded, best } = await session();
  depth('snapshot', '100.00', null);
  depth('update', '99.99', null);
  await frames(2);
  expect(best()).toBe(10_000);
  server.last.socket.send('{"channel":"BTCUSDT@depth","ts":1700000000000,"data":{"type":"upd');
  await frames(3);
  expect(best()).toBeUndefined();
  expect(stream.counts.decodeFailures).toBe(1);
  expect(discarded).toEqual(['BTCUSDT: a frame could not be read: not JSON']);
  const renewed = (): boolean => server.last.messages.filter(({ kind }) => kind === 'subscription').length === 3;
  await until(renewed, 'the channel is subscribed again');
  depth('snapshot', '100.01', null);
  await frames(4);
  expect(best()).toBe(10_001);
});

it('keeps a book whose numbers show by themselves whether anything is missing', async () => {
  const { server, depth, frames, discarded, best } = await session();
  depth('snapshot', '100.00', 7);
  depth('update', '99.99', 8);
  server.last.socket.send('what a frame of nothing may look like');
  depth('update', '99.98', 9);
  await frames(4);
  expect(best()).toBe(10_000);
  expect(discarded).toEqual([]);
});
