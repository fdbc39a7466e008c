/** A clock that a test moves by hand; timers fire in order of due time, then of setting. */
import type { Cancel, Clock } from '../../src/model/ports.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  #timers: Timer[] = [];

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  nowUs(): number {
    return Math.round(this.#now * 1000);
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { due: this.#now + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  every(intervalMs: number, run: () => void): Cancel {
    let cancel: Cancel = () => {};
    const arm = (): void => {
      cancel = this.after(intervalMs, () => {
        arm();
        run();
      });
    };
    arm();
    return () => cancel();
  }

  /** Moves on and fires what falls due. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.due - b.due || a.order - b.order)[0];
      if (next === undefined || next.due > target) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = target;
  }
}
