/**
 * Found by the fault simulator (seed 30576, law L1): the exchange went silent between the answer to a login and the request for the
 * private channels, and came back before a pong was due. Pings were answered from then on, so the connection was kept; nobody
 * asked for the channels again, and no new risk was taken for as long as the connection lasted.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../exchange/waiting.ts';
import { privateStreamRig, type PrivateStreamRig } from './private-stream-rig.ts';

let rig: PrivateStreamRig;
beforeEach(async () => {
  rig = await privateStreamRig();
});
afterEach(() => rig.close());

function asked(): number {
  return rig.server.sessions.filter(({ messages }) => messages.some(({ kind }) => kind === 'subscription')).length;
}

it('makes the connection anew when no private channel speaks within 5 s of the login', async () => {
  const { clock, events, server, source, stream } = rig;
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
    reason: 'logged in, but no private channel has answered',
  });
  clock.advance(500);
  await until(() => events.length > 0, 'the stream is ready');
  expect(events).toEqual([{ kind: 'stream', state: 'ready', generation: 2, reason: 'all channels subscribed' }]);

  // One that is heard stays, however long nothing happens on the account.
  clock.advance(6000);
  expect(source.state).toEqual({ kind: 'open', generation: 2 });
  expect(server.sessions).toHaveLength(2);
});
