/** Runs one item per event-loop turn, so its promises finish before the next. */
import { afterTurn } from '../../model/after-turn.ts';

export class Turns {
  #waiting: (() => void)[] = [];
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
      // After the item, so that its own end-of-turn work precedes.
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
