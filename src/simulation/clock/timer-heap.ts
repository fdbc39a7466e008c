/** Binary heap of timers by (due, sequence). Cancelled timers stay until they surface or outnumber the active ones. */

export interface Timer {
  dueUs: number;
  sequence: number;
  /** Null once run or cancelled. */
  run: (() => void) | null;
}

const REBUILD_MIN = 64;

function before(a: Timer, b: Timer): boolean {
  return a.dueUs < b.dueUs || (a.dueUs === b.dueUs && a.sequence < b.sequence);
}

export class TimerHeap {
  /** `Infinity` when empty. A field: the clock reads it at each event. */
  nextUs = Infinity;
  #timers: Timer[] = [];
  #dead = 0;

  get living(): number {
    return this.#timers.length - this.#dead;
  }

  push(timer: Timer): void {
    this.#timers.push(timer);
    this.#up(this.#timers.length - 1);
    if (timer.dueUs < this.nextUs) this.nextUs = timer.dueUs;
  }

  /** First timer due at `us` with a lower sequence, or null. */
  take(us: number, sequence: number): Timer | null {
    if (this.nextUs > us) return null;
    const first = this.#timers[0]!;
    if (first.sequence >= sequence) return null;
    this.#removeFirst();
    this.#surface();
    return first;
  }

  cancel(timer: Timer): void {
    if (timer.run === null) return;
    timer.run = null;
    this.#dead++;
    if (this.#dead > REBUILD_MIN && this.#dead * 2 > this.#timers.length) this.#rebuild();
    else if (timer === this.#timers[0]) this.#surface();
  }

  #surface(): void {
    for (let first = this.#timers[0]; first !== undefined; first = this.#timers[0]) {
      if (first.run !== null) {
        this.nextUs = first.dueUs;
        return;
      }
      this.#removeFirst();
      this.#dead--;
    }
    this.nextUs = Infinity;
  }

  #rebuild(): void {
    this.#timers = this.#timers.filter((timer) => timer.run !== null).sort((a, b) => (before(a, b) ? -1 : 1));
    this.#dead = 0;
    this.#surface();
  }

  #removeFirst(): void {
    const last = this.#timers.pop()!;
    if (this.#timers.length === 0) return;
    this.#timers[0] = last;
    this.#down(0);
  }

  #up(start: number): void {
    const timers = this.#timers;
    const timer = timers[start]!;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(timer, timers[parent]!)) break;
      timers[index] = timers[parent]!;
      index = parent;
    }
    timers[index] = timer;
  }

  #down(start: number): void {
    const timers = this.#timers;
    const timer = timers[start]!;
    let index = start;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= timers.length) break;
      if (child + 1 < timers.length && before(timers[child + 1]!, timers[child]!)) child++;
      if (!before(timers[child]!, timer)) break;
      timers[index] = timers[child]!;
      index = child;
    }
    timers[index] = timer;
  }
}
