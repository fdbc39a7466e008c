/** The alarm of a band had two decimals and hours: "-0.00 % after 0.0 h, below the band (-0.00 % to 0.00 %)" says nothing. */
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { watchBand } from '../../src/session/drift/band-watch.ts';
import { HandClock } from '../execution/rig.ts';

const SECOND = 1_000;

function alarmOf(afterMs: number, [low, high]: readonly [number, number], growth: number): readonly string[] {
  const clock = new HandClock();
  const messages: string[] = [];
  watchBand({
    band: { strategy: 's', params: {}, stops: [{ afterMs, low, high }] },
    clock,
    startedAt: clock.now(),
    capital: () => 1,
    netPnl: () => growth - 1,
    logger: silentLogger,
    left: (_standing, message) => messages.push(message),
  });
  clock.advance(afterMs + SECOND);
  return messages;
}

it('is given in figures that differ and a span that can be read', () => {
  expect(alarmOf(20 * SECOND, [0.999996, 1.000002], 0.999992)).toEqual([
    'the result is -0.0008 % after 20 s, below the band of the validation (-0.0004 % to 0.0002 %)',
  ]);
  expect(alarmOf(90 * SECOND, [0.98, 1.02], 1.03)).toEqual([
    'the result is 3.00 % after 1.5 min, above the band of the validation (-2.00 % to 2.00 %)',
  ]);
  expect(alarmOf(36_000 * SECOND, [0.9, 1.1], 0.8)).toEqual([
    'the result is -20.00 % after 10.0 h, below the band of the validation (-10.00 % to 10.00 %)',
  ]);
});
