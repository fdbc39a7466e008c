/**
 * The machine's clock brought to the exchange's time when a session connects, and moved on when the machine was suspended
 * meanwhile. Receive times, recordings and decisions of the session all carry this time, so that exchange and receive times
 * can be compared.
 */
import type { Clock } from '../model/ports.ts';
import { US_PER_MS } from '../model/time.ts';

export interface ShiftedClock extends Clock {
  /** Adds to the shift, ms. Once sockets and timers of the session run, never backwards; timers keep their delays. */
  shift(byMs: number): void;
  readonly shiftMs: number;
  /** The machine's clock, as it was never shifted. */
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
