/** Rules T1, T4 and T5 of virtual time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock, type ClockSource } from '../../../src/simulation/clock/virtual-clock.ts';

function sourceOf(times: readonly number[], seen: (us: number) => void): ClockSource {
  let index = 0;
  return {
    get nextUs() {
      return times[index] ?? Infinity;
    },
    run() {
      seen(times[index++] ?? Infinity);
    },
  };
}

describe('virtual clock', () => {
  it('T4: venue events, deliveries, timers, commands at one timestamp, repeated until quiet', () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    clock.schedule(10, 'command', () => {
      seen.push('command');
      clock.schedule(10, 'delivery', () => seen.push('answer'));
    });
    clock.after(0.01, () => {
      seen.push('timer 1');
      clock.schedule(10, 'venue', () => seen.push('late venue'));
    });
    clock.after(0.01, () => seen.push('timer 2'));
    clock.schedule(10, 'delivery', () => seen.push('delivery'));
    clock.schedule(10, 'venue', () => seen.push('venue'));
    expect(clock.nextUs).toBe(10);
    clock.advanceTo(10);
    expect(seen).toEqual(['venue', 'delivery', 'timer 1', 'timer 2', 'command', 'late venue', 'answer']);
  });

  it('T4: more than 10,000 rounds at one timestamp is a livelock', () => {
    const clock = new VirtualClock(0);
    const again = (): void => {
      clock.after(0, again);
    };
    again();
    expect(() => clock.advanceTo(1)).toThrow(expect.objectContaining({ code: 'livelock' }));
  });

  it('T1: the venue side runs in exchange time, the strategy side in receive time, each in its own order', () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    clock.addSource(
      'delivery',
      sourceOf([15, 18, 30], (us) => seen.push(`strategy ${us}`)),
    );
    clock.addSource(
      'venue',
      sourceOf([10, 12, 15, 29], (us) => seen.push(`venue ${us}`)),
    );
    clock.run();
    expect(seen).toEqual(['venue 10', 'venue 12', 'venue 15', 'strategy 15', 'strategy 18', 'venue 29', 'strategy 30']);
  });

  it('runs timers in order of (due, sequence) whatever is cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.boolean()), { maxLength: 400 }), (timers) => {
        const clock = new VirtualClock(0);
        const seen: number[] = [];
        const cancels = timers.map(([due], index) => clock.schedule(due, 'timer', () => seen.push(index)));
        timers.forEach(([, cancelled], index) => {
          if (cancelled) cancels[index]?.();
        });
        clock.advanceTo(50);
        const expected = timers.flatMap(([due, cancelled], index) => (cancelled ? [] : [{ due, index }]));
        expected.sort((a, b) => a.due - b.due || a.index - b.index);
        expect(seen).toEqual(expected.map(({ index }) => index));
        expect(clock.pendingTimers).toBe(0);
      }),
    );
  });

  it('T5: repeating timers do not drift, and stop when cancelled from inside', () => {
    const clock = new VirtualClock(500);
    const times: number[] = [];
    const cancel = clock.every(2.5, () => {
      times.push(clock.nowUs());
      if (times.length === 3) cancel();
    });
    clock.advanceTo(1_000_000);
    expect(times).toEqual([3000, 5500, 8000]);
    expect(clock.now()).toBe(1000);
  });

  it('refuses to go back', () => {
    const clock = new VirtualClock(100);
    expect(() => clock.advanceTo(99)).toThrow(expect.objectContaining({ code: 'clock_backwards' }));
  });
});
