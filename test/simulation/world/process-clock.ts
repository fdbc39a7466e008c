/**
 * The clock of one process of the simulated world, as `session/clock/system-clock.ts` makes one: the wall clock of the machine at
 * its start, then monotonic. A machine that is suspended does not count the time, so the clock lies behind afterwards; a
 * process that is stopped wakes to the right time. Nothing of a dead process runs, and what falls due while it is paused
 * runs when it wakes, in order.
 */
import type { Cancel, Clock } from '../../../src/model/ports.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';

export class ProcessClock implements Clock {
  dead = false;
  readonly #world: VirtualClock;
  readonly #driftPpm: number;
  readonly #startUs: number;
  #skewUs: number;
  #sleptUs = 0;
  #pausedUntilUs = 0;
  #asleepUntilUs = 0;
  #timers = 0;

  /**
   * `skewUs`: how far the wall clock of the machine is from the true time at the start of the process. `driftPpm`: by how
   * much it runs fast from then on.
   */
  constructor(world: VirtualClock, skewUs: number, driftPpm = 0) {
    this.#world = world;
    this.#skewUs = skewUs;
    this.#driftPpm = driftPpm;
    this.#startUs = world.nowUs();
  }

  now(): number {
    return this.nowUs() / 1000;
  }

  nowUs(): number {
    // What runs on where the machine slept in the midst of it does so when it woke.
    const nowUs = Math.max(this.#world.nowUs(), this.#asleepUntilUs);
    return nowUs + this.#skewUs + Math.round(((nowUs - this.#startUs) * this.#driftPpm) / 1e6);
  }

  /** The wall clock of the machine, Unix ms: it goes on while the machine sleeps. */
  wall(): number {
    return this.now() + this.#sleptUs / 1000;
  }

  /** Of the process, since it was made, ms. */
  get ageMs(): number {
    return (this.#world.nowUs() - this.#startUs) / 1000;
  }

  /** Nothing of the process runs now. */
  get isPaused(): boolean {
    return this.#pausedUntilUs > this.#world.nowUs();
  }

  /** True time at which it goes on, µs; now while it runs. */
  get wakeUs(): number {
    return Math.max(this.#pausedUntilUs, this.#world.nowUs());
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers;
  }

  pauseUntil(us: number): void {
    this.#pausedUntilUs = Math.max(this.#pausedUntilUs, us);
  }

  /** The whole machine sleeps: its monotonic clock stands still. */
  suspendUntil(us: number): void {
    if (us <= this.#pausedUntilUs) return;
    const sleptUs = us - Math.max(this.#world.nowUs(), this.#pausedUntilUs);
    this.#sleptUs += sleptUs;
    this.#skewUs -= sleptUs;
    this.#asleepUntilUs = us;
    this.pauseUntil(us);
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.handAt(this.#world.nowUs() + this.#trueUs(Math.ceil(Math.max(0, delayMs) * 1000)), run);
  }

  every(intervalMs: number, run: () => void): Cancel {
    const startUs = this.#world.nowUs();
    const intervalUs = Math.max(1, Math.round(intervalMs * 1000));
    let count = 0;
    let cancel: Cancel = () => {};
    const arm = (): void => {
      // A process that was paused skips what it missed.
      count = Math.max(count + 1, Math.floor((this.#world.nowUs() - startUs) / intervalUs));
      cancel = this.handAt(startUs + count * intervalUs, () => {
        arm();
        run();
      });
    };
    arm();
    return () => cancel();
  }

  /** How long this clock takes for so much of its own time: never less than what it counts. */
  #trueUs(ownUs: number): number {
    return this.#driftPpm === 0 || ownUs === 0 ? ownUs : Math.ceil(ownUs / (1 + this.#driftPpm / 1e6)) + 1;
  }

  /** Runs `run` in this process at true time `us`, or when it wakes; never when it is dead. */
  handAt(us: number, run: () => void): Cancel {
    let isOver = false;
    let cancel: Cancel = () => {};
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#timers--;
    };
    const fire = (): void => {
      if (this.dead) {
        end();
        return;
      }
      if (this.#pausedUntilUs > this.#world.nowUs()) {
        cancel = this.#world.schedule(this.#pausedUntilUs, 'timer', fire);
        return;
      }
      end();
      run();
    };
    this.#timers++;
    cancel = this.#world.schedule(us, 'timer', fire);
    return () => {
      cancel();
      end();
    };
  }
}
