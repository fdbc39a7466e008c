/** The only file with `Date` and real timers, which overflow at 2^31 ms. Monotonic, anchored to the wall clock. */
import { afterTurn } from '../../model/after-turn.ts';
import type { Cancel, Clock } from '../../model/ports.ts';

const LONGEST_TIMER_MS = 2 ** 30;

export function createSystemClock(): Clock {
  const originMs = Date.now() - performance.now();
  const now = (): number => originMs + performance.now();

  const after = (delayMs: number, run: () => void): Cancel => {
    const due = now() + Math.max(0, delayMs);
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = due - now();
      handle = left > LONGEST_TIMER_MS ? setTimeout(arm, LONGEST_TIMER_MS) : setTimeout(run, Math.max(0, left));
    };
    arm();
    return () => clearTimeout(handle);
  };

  const every = (intervalMs: number, run: () => void): Cancel => {
    if (!(intervalMs > 0)) throw new RangeError(`an interval must be above 0 ms, got ${intervalMs}`);
    const start = now();
    let count = 1;
    let cancel: Cancel;
    const arm = (): void => {
      const missed = Math.floor((now() - start) / intervalMs);
      if (missed >= count) count = missed + 1;
      cancel = after(start + count * intervalMs - now(), () => {
        count++;
        arm();
        run();
      });
    };
    arm();
    return () => cancel();
  };

  return Object.freeze({ now, nowUs: () => Math.round(now() * 1000), after, every, afterTurn });
}

/** Advances during sleep; may be set. */
export function wallMs(): number {
  return Date.now();
}

/** Unix ms. */
export function processStartMs(): number {
  return performance.timeOrigin;
}

export const systemClock: Clock = createSystemClock();
