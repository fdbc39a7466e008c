/** A pause in new risk that each failed try doubles. */
import type { Clock } from '../model/ports.ts';

const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 1_800_000;

export class ProbingPause {
  readonly #clock: Clock;
  #count = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#until;
  }

  /** ISO 8601. */
  get until(): string {
    return new Date(this.#until).toISOString();
  }

  /** Returns the length of the pause, s. */
  begin(): number {
    const ms = Math.min(PAUSE_MS * 2 ** this.#count, PAUSE_MS_MAX);
    this.#count++;
    this.#until = this.#clock.now() + ms;
    return ms / 1000;
  }

  end(): void {
    this.#count = 0;
    this.#until = Number.NEGATIVE_INFINITY;
  }
}
