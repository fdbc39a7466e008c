/**
 * Clocks for the tests of this room: `realClock` for tests against real sockets, `ManualClock` for laws of time.
 */
import type { Cancel, Clock } from '../../src/model/ports.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  nowUs: () => Math.round((performance.timeOrigin + performance.now()) * 1000),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
  every(intervalMs, run) {
    const timer = setInterval(run, intervalMs);
    return () => clearInterval(timer);
  },
};

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  nowUs(): number {
    return Math.round(this.#now * 1000);
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { due: this.#now + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  every(intervalMs: number, run: () => void): Cancel {
    let stopped = false;
    let cancel: Cancel = () => {};
    const arm = (): void => {
      cancel = this.after(intervalMs, () => {
        run();
        if (!stopped) arm();
      });
    };
    arm();
    return () => {
      stopped = true;
      cancel();
    };
  }

  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers]
        .filter((timer) => timer.due <= end)
        .toSorted((a, b) => a.due - b.due || a.order - b.order)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = end;
  }

  /** Moves time on without running anything: a stalled event loop. */
  stall(ms: number): void {
    this.#now += ms;
  }
}
