/**
 * A series for sessions that may run for months: a bounded number of points. When it is full, the points so far are thinned:
 * of each stretch of time the lowest, the highest and the last stay, and the stretches are twice as long each time. So
 * drawdowns and ends stay exact, and what is lost is when within a stretch they were.
 */
import { GrowingSeries } from '../statistics/series.ts';

const FIRST_STRETCH_MS = 1000;

export class BoundedSeries extends GrowingSeries {
  readonly #pointsMax: number;
  #stretchMs = 0;

  /** At least 16; `Infinity` keeps every point. */
  constructor(pointsMax: number) {
    super();
    if (!(pointsMax >= 16)) throw new RangeError(`a series of ${pointsMax} points is none`);
    this.#pointsMax = pointsMax;
  }

  /** Ms whose points were drawn together; 0 while every point is there. */
  get stretchMs(): number {
    return this.#stretchMs;
  }

  override push(ts: number, value: number): void {
    while (this.length >= this.#pointsMax) this.#thin();
    super.push(ts, value);
  }

  #thin(): void {
    this.#stretchMs = this.#stretchMs === 0 ? FIRST_STRETCH_MS : this.#stretchMs * 2;
    // Few points may lie far apart: of one or two in a stretch all stay.
    const leastMs = this.#leastOfThree();
    while (this.#stretchMs <= leastMs) this.#stretchMs *= 2;
    const { length } = this;
    let kept = 0;
    for (let from = 0; from < length;) {
      let to = from + 1;
      const stretch = this.#stretchOf(from);
      while (to < length && this.#stretchOf(to) === stretch) to++;
      kept = this.#keep(from, to, kept);
      from = to;
    }
    this.length = kept;
  }

  /** The shortest time from a point to the one after the next; 0 where two are the same. */
  #leastOfThree(): number {
    const { ts, length } = this;
    let leastMs = Infinity;
    for (let index = 1; index < length; index++) {
      if (this.#isLast(index, index)) return 0;
      if (index > 1) leastMs = Math.min(leastMs, ts[index]! - ts[index - 2]!);
    }
    return leastMs;
  }

  #stretchOf(index: number): number {
    return Math.floor((this.ts[index] ?? 0) / this.#stretchMs);
  }

  /** Writes what stays of the points from `from` to before `to` at `at`; answers where the next go. */
  #keep(from: number, to: number, at: number): number {
    let low = from;
    let high = from;
    for (let index = from + 1; index < to; index++) {
      if (this.value[index]! < this.value[low]!) low = index;
      if (this.value[index]! > this.value[high]!) high = index;
    }
    let end = at;
    for (const index of [Math.min(low, high), Math.max(low, high), to - 1]) {
      if (end > at && this.#isLast(end, index)) continue;
      this.ts[end] = this.ts[index]!;
      this.value[end] = this.value[index]!;
      end++;
    }
    return end;
  }

  #isLast(end: number, index: number): boolean {
    return this.ts[end - 1] === this.ts[index] && this.value[end - 1] === this.value[index];
  }
}
