/**
 * The clock of paper and live sessions: the virtual clock of the backtest, driven in step with real time. Whatever comes
 * from outside enters through `deliver`, which first runs every timer that was due before it was received. So the order
 * of events and timers depends only on what was received and when, and a recording replays into the same decisions.
 *
 * Time stands until the promises of a delivery have run, in the same turn of the event loop: what they read is what a replay
 * lets them read. Elsewhere (an answer from outside, a signal) it is the machine's, so that `now` never lies behind that by
 * more than the running turn.
 *
 * A process that stood still (stopped, or a machine that swapped) does not live through what it missed: timers that are
 * overdue by more than a second run at the present time. At their own times they would find old data fresh, decide by it,
 * and date what they send before its signature.
 *
 * What runs in one go, the timers of one instant or one input, is an act. As a rule promises run after each. Where acts share
 * a turn of the event loop (a timer that is late, and the input that it meets) they run after the last, and the
 * watch is told of it, so that a replay lets them run there, too.
 */
import type { Cancel, Clock } from '../model/ports.ts';
import { US_PER_MS } from '../model/time.ts';
import type { Lane, VirtualClock } from '../simulation/virtual-clock.ts';

/** A timer this late means that the process stood still. */
const STALL_US = 1_000_000;

/** What is told of the pace. */
export interface PaceWatch {
  /** Time has jumped; what is overdue runs now. */
  stalled(): void;
  /** An act at `toUs` begins in the same turn as the one before, at `fromUs`. */
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
  /** An input is being handed over, and no timer runs. */
  #handing = false;
  #stopped = false;
  /** Something ran in this turn of the event loop: what promises make of it is still to come. */
  #isTurnOpen = false;
  /** When the last act was. */
  #actUs = 0;

  /** `watch` is asked for when there is something to tell. */
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
      // A machine that slept skips the ticks that it missed instead of running them all at once.
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

  /**
   * Hands over one input received at `us`: timers due before it run first, then `run`, then what falls due at once. A
   * timer that throws does not keep the input away, which may be a fill; its error surfaces afterwards.
   */
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

  /**
   * Runs what is due by now, in the middle of a delivery: what the venue says about a market event comes before the
   * strategies hear of that event (rule T4). Elsewhere there is nothing to do: the clock itself keeps that order.
   */
  settle(): void {
    if (!this.#handing) return;
    this.#handing = false;
    try {
      this.#virtual.advanceTo(this.#virtual.nowUs());
    } finally {
      this.#handing = true;
    }
  }

  /** No timer fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#armed();
  }

  /** Runs what is due by then, and stands at the last of it. */
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

  /** Something is about to run, at `us`. */
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
