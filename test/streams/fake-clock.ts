/** A clock that moves only when a test says so; timers run in order of due time, then of setting. */
import type { Cancel, Clock } from '../../src/model/ports.ts';

interface Timer {
  dueUs: number;
  readonly order: number;
  readonly run: () => void;
  readonly everyUs: number;
}

export class FakeClock implements Clock {
  #nowUs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#nowUs = startMs * 1000;
  }

  now(): number {
    return this.#nowUs / 1000;
  }

  nowUs(): number {
    return this.#nowUs;
  }

  get pending(): number {
    return this.#timers.size;
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.#set(delayMs, 0, run);
  }

  every(intervalMs: number, run: () => void): Cancel {
    return this.#set(intervalMs, intervalMs, run);
  }

  advance(ms: number): void {
    this.advanceTo(this.now() + ms);
  }

  advanceTo(ms: number): void {
    const untilUs = Math.round(ms * 1000);
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.dueUs <= untilUs)
        .toSorted((left, right) => left.dueUs - right.dueUs || left.order - right.order)[0];
      if (due === undefined) break;
      this.#nowUs = Math.max(this.#nowUs, due.dueUs);
      if (due.everyUs > 0) due.dueUs += due.everyUs;
      else this.#timers.delete(due);
      due.run();
    }
    this.#nowUs = Math.max(this.#nowUs, untilUs);
  }

  #set(delayMs: number, everyMs: number, run: () => void): Cancel {
    const dueUs = this.#nowUs + Math.round(Math.max(0, delayMs) * 1000);
    const timer: Timer = { dueUs, order: this.#order++, run, everyUs: Math.round(everyMs * 1000) };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }
}
