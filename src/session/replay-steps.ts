/**
 * The inner loop of a backtest, and the sign of life that it gives to whoever watches from another thread. Of `backtest.ts`.
 */
import type { VirtualClock } from '../simulation/virtual-clock.ts';
import type { Traps } from '../strategy/traps.ts';
import type { DemandReplay } from './replay-tape.ts';

/**
 * Steps until a promise waits to be drained (true) or the data has ended. Apart from what calls it, so that V8 makes good code of
 * the loop once for all runs of a process.
 */
export function stepOn({ isReplayed }: DemandReplay, clock: VirtualClock, traps: Traps, steps: Int32Array): boolean {
  while (!isReplayed() && clock.step()) {
    stepped(steps);
    if (traps.promisePending) return true;
  }
  return false;
}

/** No `Atomics`: a thread that watches may see it a moment later, and the loop is as fast as before. */
export function stepped(steps: Int32Array): void {
  steps[0] = (steps[0] ?? 0) + 1;
}
