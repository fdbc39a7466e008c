/** Timers by due time, then by setting. The shell asks `nextDue` and calls `fire`. */
import type { Cancel } from '../../model/ports.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: (dueMs: number) => void;
}

export class AccountTimers {
  readonly #timers: Timer[] = [];

  /** `run` receives `dueMs` as its time. */
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

  /** Includes timers set by fired ones. */
  fire(now: number): void {
    for (;;) {
      const timer = this.#timers[0];
      if (timer === undefined || timer.dueMs > now) return;
      this.#timers.shift();
      timer.run(timer.dueMs);
    }
  }
}
