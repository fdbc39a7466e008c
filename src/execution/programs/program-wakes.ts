/** One timer per program, for its next due time. */
import type { Cancel, Clock } from '../../model/ports.ts';
import type { ProgramState } from '../../spine/programs/programs.ts';

/** Delay before a due step that could not be done yet is tried again. */
const AGAIN_MS = 100;

export class ProgramWakes {
  readonly #clock: Clock;
  readonly #run: (program: ProgramState) => void;
  readonly #timers = new Map<ProgramState, { readonly at: number; readonly stop: Cancel }>();

  constructor(clock: Clock, run: (program: ProgramState) => void) {
    this.#clock = clock;
    this.#run = run;
  }

  /** Unix ms; not finite: never. Replaces the earlier time. */
  at(program: ProgramState, wanted: number): void {
    const now = this.#clock.now();
    // Whole ms, and never early. A rule woken early would ask for the same time again without end.
    const due = Math.ceil(wanted);
    const at = due <= now ? now + AGAIN_MS : due;
    if (this.#timers.get(program)?.at === at) return;
    this.stop(program);
    if (!Number.isFinite(at)) return;
    const stop = this.#clock.after(Math.ceil(at - now), () => {
      this.#timers.delete(program);
      this.#run(program);
    });
    this.#timers.set(program, { at, stop });
  }

  stop(program: ProgramState): void {
    this.#timers.get(program)?.stop();
    this.#timers.delete(program);
  }
}
