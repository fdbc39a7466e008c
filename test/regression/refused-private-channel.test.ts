/**
 * A private channel that an exchange refused once (it had just come back, or was busy) was never asked for again on a connection
 * that stayed: no new risk until the next reconnect or start, and before the first `ready` nobody was told why.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../exchange/waiting.ts';
import { privateStreamRig, type PrivateStreamRig } from './private-stream-rig.ts';

const TRADES = 'BTCUSDT@my-trades';
const REFUSED = `lost: the exchange refused channel ${TRADES}: insufficient_permissions`;

let rig: PrivateStreamRig;
beforeEach(async () => {
  rig = await privateStreamRig();
});
afterEach(() => rig.close());

/** What was said of the stream. */
function told(): string[] {
  return rig.events.flatMap((event) => (event.kind === 'stream' ? [`${event.state}: ${event.reason}`] : []));
}

/** Subscribe requests that named it. */
function asked(): number {
  return rig.server.sessions
    .flatMap(({ messages }) => messages)
    .filter((one) => one.kind === 'subscription' && one.method === 'subscribe' && one.channels.includes(TRADES)).length;
}

async function refusedAtStart(): Promise<void> {
  rig.server.forbidden = new Set([TRADES]);
  rig.stream.start();
  rig.source.start();
  await until(() => rig.server.sessions[0]?.channels.size === 3, 'the others are subscribed');
  await until(() => told().length === 1, 'it is said');
}

it('is asked for again until it is accepted, and the stream is ready then', async () => {
  await refusedAtStart();
  expect(told()).toEqual([REFUSED]);
  rig.clock.advance(4999);
  expect(asked()).toBe(1);
  rig.server.forbidden = new Set();
  rig.clock.advance(1);
  await until(() => told().length === 2, 'the stream is ready');
  expect(told()).toEqual([REFUSED, 'ready: all channels subscribed']);
  expect(rig.server.sessions).toHaveLength(1);
  expect([...rig.server.last.channels]).toContain(TRADES);
});

/** Whatever either side has sent is here when this resolves. */
async function exchanged(): Promise<void> {
  const { socket } = rig.server.last;
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
    rig.clock.advance(1000);
    await exchanged();
    if (asked() > before) askedAfter.push(second);
  }
  expect(askedAfter).toEqual([5, 15, 35, 75, 135, 195]);
  expect(told()).toEqual([REFUSED]);
  expect(rig.server.sessions).toHaveLength(1);
});

it('is not asked for while there is no connection, and not taken for ready', async () => {
  await refusedAtStart();
  rig.server.last.socket.terminate();
  await until(() => rig.source.state.kind === 'lost', 'the connection is lost');
  rig.server.forbidden = new Set();
  rig.clock.advance(4999);
  await until(() => told().length === 2, 'the stream is ready');
  expect(told()).toEqual([REFUSED, 'ready: all channels subscribed']);
  rig.clock.advance(60_000);
  expect(asked()).toBe(2);
});
