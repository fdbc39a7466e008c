/**
 * The gate for a process that stood still: stopped, swapped out, or busy in one place. What it decides then rests on a
 * world of before. Lateness of a timer of the machine's clock is the delay of the event loop; it is also asked between
 * two ticks, so that the first thing that runs after a stall finds the gate shut, whatever that is. It opens when ticks
 * have come in time again, so that what queued up meanwhile has been read. For live sessions: the recording of a paper
 * session knows nothing of its machine, and must replay into the same decisions.
 */
import type { Cancel, Clock, Gate, GateClosure, Logger } from '../model/ports.ts';

const TICK_MS = 100;
/** reliability §5.3. */
const WARN_MS = 200;
const HALT_MS = 1_000;
/** Ticks in time before the gate opens again. */
const CALM_TICKS = 2;
/** One line of the log for all stalls of this long. */
const WARN_EVERY_MS = 10_000;

export class LoopLag implements Gate {
  readonly name = 'loop';
  readonly #clock: Clock;
  readonly #logger: Logger;
  #stop: Cancel = () => {};
  /** Of the last tick; nothing is late before the first. */
  #tickAt = Number.POSITIVE_INFINITY;
  /** Ticks that must still come in time; above 0 the gate is shut. */
  #calmLeft = 0;
  #worstMs = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** `clock` is the machine's: the paced clock of a session stands still with it. */
  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): void {
    this.#tickAt = this.#clock.now();
    this.#stop = this.#clock.every(TICK_MS, () => this.#tick());
  }

  closedBecause(): GateClosure | null {
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

  #tick(): void {
    const lateMs = this.#lateMs();
    this.#tickAt = this.#clock.now();
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
