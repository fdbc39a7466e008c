/** A connection that did not open in time was said to have taken 10 s, whatever deadline was in force. */
import { expect, it } from 'vitest';
import { ReconnectingLink } from '../../src/exchange/client/sockets/reconnecting-link.ts';
import type { SocketState } from '../../src/exchange/client/sockets/channel-source.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { HandClock } from '../execution/rig.ts';

it('exchange/link/opening-deadline: the reason names the deadline in force', () => {
  const clock = new HandClock();
  const states: SocketState[] = [];
  const link = new ReconnectingLink(
    {
      name: 'link',
      transport: { connect: () => ({ bufferedBytes: 0, send: () => {}, close: () => {}, terminate: () => {} }) },
      clock,
      random: seededRandom(1),
      logger: silentLogger,
      knobs: (knob, written) => (knob === 'socket-opening' ? 500 : written),
    },
    {
      address: () => ({ url: 'ws://127.0.0.1:1' }),
      connected: () => {},
      message: () => {},
      state: (state) => states.push(state),
    },
  );
  link.start();
  clock.advance(500);
  expect(states.at(-1)).toMatchObject({ kind: 'lost', reason: 'connecting took more than 0.5 s' });
});
