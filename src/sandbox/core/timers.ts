/**
 * Account timers of the exchange (funding, and later key, fiat, withdrawal, P2P and interest steps), fired in order of
 * due time, then of setting. Pure: whoever has the clock asks for `nextDue` and calls `fire`.
 */
import type { Cancel } from '../../model/ports.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: (dueMs: number) => void;
}

export class AccountTimers {
  /** Sorted, soonest first. */
  readonly #timers: Timer[] = [];

  /** Runs once at `dueMs`; `run` gets that time as its now. */
  at(dueMs: number, run: (dueMs: number) => void): Cancel {
    const timer: Timer = { dueMs, run };
    const place = this.#timers.findLastIndex((other) => other.dueMs <= dueMs) + 1;
    this.#timers.splice(place, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  get nextDue(): number | undefined {
    return this.#timers[0]?.dueMs;
  }

  /** Fires everything due at or before `now`, what the fired ones set included. */
  fire(now: number): void {
    for (;;) {
      const timer = this.#timers[0];
      if (timer === undefined || timer.dueMs > now) return;
      this.#timers.shift();
      timer.run(timer.dueMs);
    }
  }
}
