/**
 * Found by the fault simulator (seed 129, law D1): a machine was suspended for 34 s. Its monotonic clock stood still, so
 * nothing was late and nothing looked old, and the first timer after the wake let an order leave by the book of before.
 */
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { LoopLag } from '../../src/session/clock/loop-lag.ts';
import { ManualClock } from '../exchange/clocks.ts';

function machine() {
  const clock = new ManualClock();
  let sleptMs = 0;
  let measured = 0;
  const gate = new LoopLag(clock, silentLogger, { wall: () => clock.now() + sleptMs, onWake: () => void measured++ });
  gate.start();
  clock.advance(5000);
  return {
    clock,
    gate,
    measured: () => measured,
    sleep: (ms: number) => {
      sleptMs += ms;
    },
  };
}

it('is shut for the very first thing that runs after the wake, and says why', () => {
  const { gate, sleep } = machine();
  sleep(34_000);
  expect(gate.closedBecause()).toMatchObject({ reason: 'loop_lag', message: expect.stringContaining('34.0 s') });
});

it('stays shut until what was decided before is too old, and has the clock measured once', () => {
  const { clock, gate, measured, sleep } = machine();
  sleep(3000);
  clock.advance(9900);
  expect(gate.closedBecause()).not.toBeNull();
  clock.advance(300);
  expect(gate.closedBecause()).toBeNull();
  expect(measured()).toBe(1);
});

it('does not mind a wall clock that is set back, nor a sleep too short to matter', () => {
  const { clock, gate, measured, sleep } = machine();
  sleep(-3_600_000);
  expect(gate.closedBecause()).toBeNull();
  clock.advance(1000);
  sleep(900);
  expect(gate.closedBecause()).toBeNull();
  clock.advance(1000);
  expect(measured()).toBe(0);
});
