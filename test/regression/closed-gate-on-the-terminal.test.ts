/** The line of `run` said only `0 fills` while the gate of the clock denied every order, as it asked two gates alone. */
import { expect, it } from 'vitest';
import { ClockOffset } from '../../src/exchange/client/clock-offset.ts';
import { silentLogger, type Gate } from '../../src/model/ports.ts';
import { closedBecause } from '../../src/session/view/take-snapshot.ts';
import { HandClock } from '../execution/rig.ts';

it('session/snapshot/names-the-gate-of-the-clock-once', async () => {
  const clock = new HandClock();
  let skewMs = 0;
  const sample = async () => {
    const sentAt = clock.now();
    return { sentAt, receivedAt: sentAt, serverTime: sentAt + skewMs, resolutionMs: 0.5 };
  };
  const offset = new ClockOffset({ clock, sample, logger: silentLogger });
  const book: Gate = { name: 'market data', closedBecause: () => null };
  const reconciler = { gate: { ...book, name: 'reconcile' } };
  const session = { gates: [book, offset.gate], reconciler, symbols: ['BTCUSDT', 'ETHUSDT'] };
  await offset.measure();
  expect(closedBecause(session)).toEqual([]);
  skewMs = 20_000;
  await offset.measure();
  expect(closedBecause(session)).toEqual([
    expect.stringMatching(/^the local clock is 20\.0 s off the exchange, at most /),
  ]);
});
