/** The gate of a process that stood still (reliability §5.3, INV-R3, INV-L3). */
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/model/ports.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { LoopLag } from '../../../src/session/clock/loop-lag.ts';
import { denials, HandClock, makeRig } from '../../execution/rig.ts';

/** A machine whose timers run late: time passes first, what was due then runs once. */
class StallingClock extends HandClock implements Clock {
  #stalledMs = 0;
  override now(): number {
    return super.now() + this.#stalledMs;
  }
  /** Nothing runs meanwhile. */
  stall(ms: number): void {
    this.#stalledMs += ms;
  }
}

const SYMBOL = 'BTCUSDT';
const buy = { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;

function machine() {
  const clock = new StallingClock();
  const gate = new LoopLag(clock, silentLogger);
  gate.start();
  return { clock, gate };
}

describe('loop lag', () => {
  it('is open while ticks come in time', () => {
    const { clock, gate } = machine();
    clock.advance(60_000);
    expect(gate.closedBecause()).toBeNull();
  });

  it('is shut before anything else runs after a stall, and until two ticks have come in time', () => {
    const { clock, gate } = machine();
    clock.advance(5_000);
    clock.stall(1_500);
    expect(gate.closedBecause()).toMatchObject({ reason: 'loop_lag' });
    clock.advance(100);
    expect(gate.closedBecause()?.message).toContain('1500 ms');
    clock.advance(100);
    expect(gate.closedBecause()).not.toBeNull();
    clock.advance(100);
    expect(gate.closedBecause()).toBeNull();
  });

  it('does not mind a delay below a second', () => {
    const { clock, gate } = machine();
    clock.advance(1_000);
    clock.stall(800);
    expect(gate.closedBecause()).toBeNull();
    clock.advance(300);
    expect(gate.closedBecause()).toBeNull();
  });

  it('stays shut while the process keeps stumbling', () => {
    const { clock, gate } = machine();
    clock.advance(1_000);
    clock.stall(2_000);
    for (let round = 0; round < 20; round++) {
      clock.advance(100);
      expect(gate.closedBecause()).not.toBeNull();
      clock.stall(300);
    }
    clock.advance(400);
    expect(gate.closedBecause()).toBeNull();
  });

  it('denies new risk with loop_lag and lets cancels pass', () => {
    const { clock, gate } = machine();
    const rig = makeRig({ gates: [gate] });
    rig.executor.submit('maker', { ...buy, ref: 'a' });
    expect(rig.venue.creates()).toHaveLength(1);
    clock.stall(3_000);
    rig.executor.submit('maker', buy);
    expect(denials(rig)).toEqual(['loop_lag']);
    rig.executor.submit('maker', { kind: 'cancel', ref: 'a' });
    expect(rig.venue.resting()).toEqual([]);
    clock.advance(500);
    rig.executor.submit('maker', buy);
    expect(rig.venue.creates()).toHaveLength(2);
  });
});
