/**
 * Found by the fault simulator (seed 1637, law L5): a machine slept through an outage with its clock, which was set right 49 s
 * later. The 5 minutes of 20 connections were counted by the clock that was set, and so were 251 s.
 */
import { expect, it } from 'vitest';
import { ExchangeSocket } from '../../src/exchange/client/sockets/socket.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { shiftedClock } from '../../src/session/clock/shifted-clock.ts';
import { ManualClock } from '../exchange/clocks.ts';

const WINDOW_MS = 300_000;

it('makes no more than 20 connections in 5 minutes of the machine when the clock is set meanwhile', () => {
  const machine = new ManualClock();
  const clock = shiftedClock(machine);
  const begun: number[] = [];
  const socket = new ExchangeSocket({
    url: 'ws://exchange.invalid/websocket/exchange',
    transport: {
      connect: (_url, handlers) => {
        begun.push(machine.now());
        machine.after(0, () => handlers.close(1006, 'refused'));
        return { bufferedBytes: 0, send: () => {}, close: () => {}, terminate: () => {} };
      },
    },
    clock,
    steady: clock.steady,
    random: seededRandom(1637),
    exchangeNow: () => clock.now(),
    credentials: null,
    logger: silentLogger,
  });
  socket.start();
  machine.advance(200_000);
  clock.shift(49_000);
  machine.advance(2 * WINDOW_MS);
  expect(begun.length).toBeGreaterThan(25);
  const windowsMs = begun.slice(20).map((at, index) => at - (begun[index] ?? 0));
  expect(Math.min(...windowsMs)).toBeGreaterThanOrEqual(WINDOW_MS);
});
