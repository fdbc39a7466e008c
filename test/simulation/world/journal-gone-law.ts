/**
 * A process ends whose journal has lost its files (INV-J3): nothing that it does can be read again. Counted in seconds in which
 * the process could look. That no order leaves and no row is written meanwhile is judged where they pass, in `machine.ts`.
 */
import type { Machine } from './machine.ts';

/** It looks once a second. */
const SECONDS_MAX = 4;

export class JournalGoneLaw {
  readonly #machine: Machine;
  readonly #violated: (what: string) => void;
  #seconds = 0;

  constructor(machine: Machine, violated: (what: string) => void) {
    this.#machine = machine;
    this.#violated = violated;
  }

  everySecond(): void {
    const { process, processClock, disk } = this.#machine;
    if (!disk.files.areGone || process === null) this.#seconds = 0;
    else if (process.engine !== null && processClock?.isPaused !== true) this.#seconds++;
    if (this.#seconds === SECONDS_MAX) this.#violated(`its journal has been gone for ${SECONDS_MAX} s, and it goes on`);
  }
}
