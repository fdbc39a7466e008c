/**
 * The gate for a process that stood still: stopped, swapped out, or busy in one place. What it decides then rests on a
 * world of before. Lateness of a timer of the machine's clock is the delay of the event loop; it is also asked between
 * two ticks, so that the first thing that runs after a stall finds the gate shut, whatever that is. It opens when ticks
 * have come in time again, so that what queued up meanwhile has been read. For live sessions: the recording of a paper
 * session knows nothing of its machine, and must replay into the same decisions.
 *
 * A machine that slept is another matter: its monotonic clock stood still, so nothing was late and nothing looks old. Its wall
 * clock went on; where that has gained, the gate is shut for as long as an intent may wait, or until the clock was
 * measured and everything shows its age.
 */
import type { Cancel, Clock, Gate, GateClosure, Logger } from '../model/ports.ts';

const TICK_MS = 100;
/** reliability §5.3. */
const WARN_MS = 200;
const HALT_MS = 1_000;
/** Ticks in time before the gate opens again. */
const CALM_TICKS = 2;
/** `intentTtlMs`: what was decided before the sleep is too old by then, also by a clock that slept. */
const WAKE_MS = 10_000;
/** One line of the log for all stalls of this long. */
const WARN_EVERY_MS = 10_000;

export interface Sleep {
  /** The wall clock of the machine, Unix ms: it goes on while the machine sleeps. */
  readonly wall: () => number;
  /** The machine slept: its clock should be measured again. */
  readonly onWake: () => void;
}

export class LoopLag implements Gate {
  readonly name = 'loop';
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sleep: Sleep | undefined;
  #stop: Cancel = () => {};
  /** Of the last tick; nothing is late before the first. */
  #tickAt = Number.POSITIVE_INFINITY;
  /** Ticks that must still come in time; above 0 the gate is shut. */
  #calmLeft = 0;
  #worstMs = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** Of the wall clock before ours, at the last tick. */
  #aheadMs = 0;
  #sleptMs = 0;
  #wakeUntil = Number.NEGATIVE_INFINITY;

  /** `clock` is the machine's: the paced clock of a session stands still with it. */
  constructor(clock: Clock, logger: Logger, sleep?: Sleep) {
    this.#clock = clock;
    this.#logger = logger;
    this.#sleep = sleep;
  }

  start(): void {
    this.#tickAt = this.#clock.now();
    this.#aheadMs = this.#ahead();
    this.#stop = this.#clock.every(TICK_MS, () => this.#tick());
  }

  closedBecause(): GateClosure | null {
    const sleptMs = this.#gained();
    if (sleptMs >= HALT_MS || this.#clock.now() < this.#wakeUntil) {
      const seconds = (Math.max(sleptMs, this.#sleptMs) / 1000).toFixed(1);
      return { reason: 'loop_lag', message: `the machine slept for ${seconds} s: what is known is of before` };
    }
    const lateMs = this.#lateMs();
    if (lateMs < HALT_MS && this.#calmLeft === 0) return null;
    const stoodMs = Math.round(Math.max(lateMs, this.#worstMs));
    return { reason: 'loop_lag', message: `the process stood still for ${stoodMs} ms and catches up` };
  }

  stop(): void {
    this.#stop();
  }

  #lateMs(): number {
    return this.#clock.now() - this.#tickAt - TICK_MS;
  }

  #ahead(): number {
    return this.#sleep === undefined ? 0 : this.#sleep.wall() - this.#clock.now();
  }

  /** By how much the wall clock has gained on ours since the last tick; 0 before the first. */
  #gained(): number {
    return this.#tickAt === Number.POSITIVE_INFINITY ? 0 : this.#ahead() - this.#aheadMs;
  }

  #wake(sleptMs: number): void {
    this.#sleptMs = sleptMs;
    this.#wakeUntil = this.#tickAt + WAKE_MS;
    this.#logger.warn({ sleptMs: Math.round(sleptMs) }, 'the machine slept, or its clock was set');
    this.#sleep?.onWake();
  }

  #tick(): void {
    const lateMs = this.#lateMs();
    const sleptMs = this.#gained();
    this.#tickAt = this.#clock.now();
    this.#aheadMs = this.#ahead();
    if (sleptMs >= HALT_MS) this.#wake(sleptMs);
    if (lateMs >= WARN_MS) this.#warn(lateMs);
    if (lateMs >= HALT_MS) {
      this.#calmLeft = CALM_TICKS;
      this.#worstMs = Math.max(this.#worstMs, lateMs);
    } else if (lateMs >= WARN_MS && this.#calmLeft > 0) {
      this.#calmLeft = CALM_TICKS;
    } else if (this.#calmLeft > 0 && --this.#calmLeft === 0) {
      this.#worstMs = 0;
    }
  }

  #warn(lateMs: number): void {
    if (this.#tickAt - this.#warnedAt < WARN_EVERY_MS && lateMs < HALT_MS) return;
    this.#warnedAt = this.#tickAt;
    this.#logger.warn({ lateMs: Math.round(lateMs) }, 'the event loop was late');
  }
}
