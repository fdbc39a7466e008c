/** The inner loop of a backtest. */
import type { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import type { Traps } from '../../strategy/traps.ts';
import type { DemandReplay } from './replay-tape.ts';

/** True when a promise must be drained. A function of its own, so that V8 optimises it once. */
export function stepOn({ isReplayed }: DemandReplay, clock: VirtualClock, traps: Traps, steps: Int32Array): boolean {
  while (!isReplayed() && clock.step()) {
    stepped(steps);
    if (traps.promisePending) return true;
  }
  return false;
}

/** No `Atomics`, for speed: a watcher may see it later. */
export function stepped(steps: Int32Array): void {
  steps[0] = (steps[0] ?? 0) + 1;
}
