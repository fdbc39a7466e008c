/**
 * The backtest's virtual clock, driven by real time.
 *
 * - Timers due before an input run first, so that a recording replays identically.
 * - Time does not advance until the promises of a delivery have run.
 * - After a stall, overdue timers run at the present time. At their own times old data would seem fresh.
 * - An act is everything that runs at once: the timers of one instant, or one input. Acts that share a turn run before
 *   its promises.
 */
import type { Cancel, Clock } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';
import type { Lane, VirtualClock } from '../../simulation/clock/virtual-clock.ts';

/** A timer this late means that the process stalled. */
const STALL_US = 1_000_000;

export interface PaceWatch {
  stalled(): void;
  /** Acts at these times share a turn. */
  joined(fromUs: number, toUs: number): void;
}

export class PacedClock implements Clock {
  readonly #virtual: VirtualClock;
  readonly #real: Clock;
  readonly #onStall: () => void;
  readonly #onJoined: (fromUs: number, toUs: number) => void;
  #armed: Cancel = () => {};
  #armedUs = Infinity;
  #inside = false;
  /** During an input no timer runs. */
  #handing = false;
  #stopped = false;
  /** Promises of an act are pending. */
  #isTurnOpen = false;
  #actUs = 0;

  constructor(virtual: VirtualClock, real: Clock, watch?: () => PaceWatch) {
    this.#virtual = virtual;
    this.#real = real;
    this.#onStall = () => watch?.().stalled();
    this.#onJoined = (fromUs, toUs) => watch?.().joined(fromUs, toUs);
  }

  now(): number {
    return this.nowUs() / US_PER_MS;
  }

  nowUs(): number {
    const isHeld = this.#inside || this.#isTurnOpen;
    return isHeld ? this.#virtual.nowUs() : Math.max(this.#virtual.nowUs(), this.#real.nowUs());
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.schedule(this.nowUs() + Math.round(Math.max(0, delayMs) * US_PER_MS), 'timer', run);
  }

  every(intervalMs: number, run: () => void): Cancel {
    const startUs = this.nowUs();
    const intervalUs = Math.max(1, Math.round(intervalMs * US_PER_MS));
    let count = 0;
    let cancel: Cancel = () => {};
    const arm = (): void => {
      count = Math.max(count + 1, Math.floor((this.#real.nowUs() - startUs) / intervalUs));
      cancel = this.schedule(startUs + count * intervalUs, 'timer', () => {
        arm();
        run();
      });
    };
    arm();
    return () => cancel();
  }

  schedule(us: number, lane: Lane, run: () => void): Cancel {
    const cancel = this.#virtual.schedule(us, lane, run);
    if (!this.#inside) this.#arm();
    return cancel;
  }

  /** A throwing timer does not lose the input. */
  deliver(us: number, run: () => void): void {
    if (this.#inside) {
      run();
      return;
    }
    this.#enter(() => {
      try {
        this.#advance(us);
        this.#virtual.advanceTo(Math.max(us, this.#virtual.nowUs()));
      } finally {
        this.#hand(run);
      }
    });
  }

  #hand(run: () => void): void {
    this.#act(this.#virtual.nowUs());
    this.#handing = true;
    try {
      run();
    } finally {
      this.#handing = false;
    }
    this.#virtual.advanceTo(this.#virtual.nowUs());
  }

  /** Venue events precede the strategies' market event (rule T4). */
  settle(): void {
    if (!this.#handing) return;
    this.#handing = false;
    try {
      this.#virtual.advanceTo(this.#virtual.nowUs());
    } finally {
      this.#handing = true;
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#armed();
  }

  #advance(us: number): void {
    const toUs = Math.max(us, this.#virtual.nowUs());
    if (this.#virtual.nextUs < toUs - STALL_US) {
      this.#virtual.jumpTo(toUs);
      this.#onStall();
    }
    for (let dueUs = this.#virtual.nextUs; dueUs <= toUs; dueUs = this.#virtual.nextUs) {
      this.#act(dueUs);
      this.#virtual.step(toUs);
    }
  }

  #act(us: number): void {
    const { afterTurn } = this.#real;
    if (afterTurn === undefined) return;
    if (this.#isTurnOpen) this.#onJoined(this.#actUs, us);
    else {
      this.#isTurnOpen = true;
      afterTurn(() => {
        this.#isTurnOpen = false;
      });
    }
    this.#actUs = us;
  }

  #enter(work: () => void): void {
    this.#inside = true;
    try {
      work();
    } finally {
      this.#inside = false;
      this.#arm();
    }
  }

  #arm(): void {
    if (this.#stopped) return;
    const dueUs = this.#virtual.nextUs;
    if (dueUs === this.#armedUs) return;
    this.#armed();
    this.#armedUs = dueUs;
    if (dueUs === Infinity) {
      this.#armed = () => {};
      return;
    }
    this.#armed = this.#real.after((dueUs - this.#real.nowUs()) / US_PER_MS, () => {
      this.#armedUs = Infinity;
      const nowUs = this.#real.nowUs();
      this.#enter(() => this.#advance(nowUs));
    });
  }
}
