/** The machine's clock, shifted to exchange time. */
import type { Clock } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';

export interface ShiftedClock extends Clock {
  /** Ms. Timers keep their delays. */
  shift(byMs: number): void;
  readonly shiftMs: number;
  readonly steady: Pick<Clock, 'now'>;
}

export function shiftedClock(real: Clock): ShiftedClock {
  let shiftUs = 0;
  return {
    now: () => real.now() + shiftUs / US_PER_MS,
    nowUs: () => real.nowUs() + shiftUs,
    after: (delayMs, run) => real.after(delayMs, run),
    every: (intervalMs, run) => real.every(intervalMs, run),
    ...(real.afterTurn === undefined ? {} : { afterTurn: real.afterTurn }),
    shift: (byMs) => {
      shiftUs += Math.round(byMs * US_PER_MS);
    },
    steady: { now: () => real.now() },
    get shiftMs() {
      return shiftUs / US_PER_MS;
    },
  };
}
