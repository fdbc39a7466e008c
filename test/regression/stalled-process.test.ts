/**
 * A process that was stopped for 48 s ran its overdue timers at their own times when it woke: old data looked fresh, an order
 * was decided by it, and its SENDING row was dated 43 s before its signature, so that its absence was concluded while it
 * rested at the exchange. Found by the simulator (S4).
 */
import { expect, it } from 'vitest';
import type { Cancel, Clock } from '../../src/model/ports.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

const START_US = 1_000_000_000;

/** A machine whose timers fire when the test lets it run. */
function machine(): { readonly clock: Clock; runTo(us: number): void } {
  let nowUs = START_US;
  const due: { us: number; run: () => void }[] = [];
  const after = (delayMs: number, run: () => void): Cancel => {
    const timer = { us: nowUs + delayMs * 1000, run };
    due.push(timer);
    return () => void due.splice(due.indexOf(timer), due.includes(timer) ? 1 : 0);
  };
  const clock = { now: () => nowUs / 1000, nowUs: () => nowUs, after, every: () => () => {} };
  return {
    clock,
    runTo: (us) => {
      nowUs = us;
      for (let at = due.findIndex((timer) => timer.us <= us); at >= 0; at = due.findIndex((timer) => timer.us <= us))
        due.splice(at, 1)[0]?.run();
    },
  };
}

it('runs overdue timers at the present time after it stood still, in their order', () => {
  const real = machine();
  const clock = new PacedClock(new VirtualClock(START_US), real.clock);
  const seen: string[] = [];
  clock.after(5_000, () => seen.push(`first ${clock.nowUs()}`));
  clock.after(7_000, () => seen.push(`second ${clock.nowUs()}`));
  const woken = START_US + 48_000_000;
  real.runTo(woken);
  expect(seen).toEqual([`first ${woken}`, `second ${woken}`]);
});

it('runs a timer that is a little late at its own time', () => {
  const real = machine();
  const clock = new PacedClock(new VirtualClock(START_US), real.clock);
  const seen: number[] = [];
  clock.after(5_000, () => seen.push(clock.nowUs()));
  clock.deliver(START_US + 5_400_000, () => seen.push(clock.nowUs()));
  expect(seen).toEqual([START_US + 5_000_000, START_US + 5_400_000]);
});
