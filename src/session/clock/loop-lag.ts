/**
 * The gate for a stalled process. Live only: a paper session must replay identically.
 *
 * A machine's sleep stops its monotonic clock and shows as a gain of the wall clock. The gate then stays closed for the
 * lifetime of an intent.
 */
import type { Cancel, Clock, Gate, GateClosure, Logger } from '../../model/ports.ts';

const TICK_MS = 100;
const WARN_MS = 200;
const HALT_MS = 1_000;
/** Ticks in time before the gate opens. */
const CALM_TICKS = 2;
/** As `intentTtlMs`: decisions from before the sleep are expired by then. */
const WAKE_MS = 10_000;
const WARN_EVERY_MS = 10_000;

export interface Sleep {
  /** Unix ms; advances during sleep. */
  readonly wall: () => number;
  readonly onWake: () => void;
}

export class LoopLag implements Gate {
  readonly name = 'loop';
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sleep: Sleep | undefined;
  #stop: Cancel = () => {};
  #tickAt = Number.POSITIVE_INFINITY;
  /** Ticks in time still needed; above 0 the gate is closed. */
  #calmLeft = 0;
  #worstMs = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** Wall clock minus monotonic clock at the last tick. */
  #aheadMs = 0;
  #sleptMs = 0;
  #wakeUntil = Number.NEGATIVE_INFINITY;

  /** `clock` is the machine's: a session's paced clock stalls with it. */
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
