/**
 * An equity curve thinned to what the statistics need: fixed points are kept; of the others only the last, lowest and
 * highest of each second. Memory is bounded by seconds, not by events.
 */

/** Unix ms and equity in reporting currency. */
export type EquityPoint = readonly [ts: number, equity: number];

const SECOND_MS = 1000;

export class EquityCurve {
  readonly #points: EquityPoint[] = [];
  #second = -1;
  #count = 0;
  #low = 0;
  #lowAt = 0;
  #high = 0;
  #highAt = 0;
  #last = 0;
  #lastAt = 0;

  add(atMs: number, equity: number): void {
    const second = Math.floor(atMs / SECOND_MS);
    if (second !== this.#second) {
      this.#flush();
      this.#second = second;
    }
    if (this.#count === 0 || equity < this.#low) {
      this.#low = equity;
      this.#lowAt = atMs;
    }
    if (this.#count === 0 || equity > this.#high) {
      this.#high = equity;
      this.#highAt = atMs;
    }
    this.#last = equity;
    this.#lastAt = atMs;
    this.#count++;
  }

  /** Keeps this very point. */
  fix(atMs: number, equity: number): void {
    this.#flush();
    this.#points.push([atMs, equity]);
  }

  points(): readonly EquityPoint[] {
    this.#flush();
    return this.#points;
  }

  #flush(): void {
    if (this.#count === 0) return;
    const pending: EquityPoint[] = [
      [this.#lowAt, this.#low],
      [this.#highAt, this.#high],
      [this.#lastAt, this.#last],
    ];
    pending.sort((left, right) => left[0] - right[0]);
    let before: EquityPoint | undefined;
    for (const point of pending) {
      if (before === undefined || before[0] !== point[0] || before[1] !== point[1]) this.#points.push(point);
      before = point;
    }
    this.#count = 0;
  }
}
