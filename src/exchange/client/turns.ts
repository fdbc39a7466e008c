/**
 * Runs one thing per turn of the event loop: what promises make of it is done before the next, as it would be had the two
 * been received one by one. The first runs at once. Nothing waits for input or timers between, so that a burst is over as
 * fast as it was, but for a fraction of a microsecond each. So no more ever waits than one read of the socket holds.
 */
import { afterTurn } from '../../model/after-turn.ts';

export class Turns {
  #waiting: (() => void)[] = [];
  /** Of those that wait, how many have run. */
  #done = 0;
  #isTaken = false;

  add(run: () => void): void {
    if (this.#isTaken) this.#waiting.push(run);
    else this.#take(run);
  }

  #take(run: () => void): void {
    this.#isTaken = true;
    try {
      run();
    } finally {
      // After it, so that whatever it wants done at the end of its turn comes before.
      afterTurn(this.#next);
    }
  }

  readonly #next = (): void => {
    this.#isTaken = false;
    const run = this.#waiting[this.#done];
    if (run === undefined) {
      this.#waiting = [];
      this.#done = 0;
      return;
    }
    this.#done++;
    this.#take(run);
  };
}
