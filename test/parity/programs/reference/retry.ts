/** A child that ended by itself unfilled: the next try waits 1, 2, 4, 8 s; the fifth in a row ends the program. */
import type { Child, Desk } from '../desk.ts';

const TRIES_MAX = 5;

export class Retry {
  #count = 0;
  #filled = 0;
  #untilUs = 0;
  readonly #seen = new Set<Child>();

  /** Whether the next one may leave. A fill in between begins the count anew. */
  mayGo(desk: Desk, last: Child | undefined, filled: number): boolean {
    if (filled !== this.#filled) {
      this.#count = 0;
      this.#filled = filled;
      this.#untilUs = 0;
    }
    if (last !== undefined && !last.isOpen && last.filled < last.wish.quantity && last.cancelUs === undefined) {
      if (!this.#seen.has(last)) {
        this.#seen.add(last);
        this.#count++;
        this.#untilUs = desk.nowUs + 1e6 * 2 ** (this.#count - 1);
        if (this.#count < TRIES_MAX) desk.wake(this.#untilUs);
        else desk.end('failed');
      }
    }
    return desk.ended === undefined && desk.nowUs >= this.#untilUs;
  }
}
