/** Fixed points, and last, lowest and highest of each second. */
import type { Series } from '../statistics/series.ts';
import { BoundedSeries } from './bounded-series.ts';

const SECOND_MS = 1000;

export class ThinnedCurve {
  readonly #series: BoundedSeries;
  #second = -1;
  #count = 0;
  #low = 0;
  #lowAt = 0;
  #high = 0;
  #highAt = 0;
  #last = 0;
  #lastAt = 0;

  constructor(pointsMax = Infinity) {
    this.#series = new BoundedSeries(pointsMax);
  }

  /** In ms; 0 while every second is kept. */
  get stretchMs(): number {
    return this.#series.stretchMs;
  }

  add(atMs: number, value: number): void {
    const second = Math.floor(atMs / SECOND_MS);
    if (second !== this.#second) {
      this.#flush();
      this.#second = second;
    }
    if (this.#count === 0 || value < this.#low) {
      this.#low = value;
      this.#lowAt = atMs;
    }
    if (this.#count === 0 || value > this.#high) {
      this.#high = value;
      this.#highAt = atMs;
    }
    this.#last = value;
    this.#lastAt = atMs;
    this.#count++;
  }

  fix(atMs: number, value: number): void {
    this.#flush();
    this.#series.push(atMs, value);
  }

  series(): Series {
    this.#flush();
    return this.#series;
  }

  #flush(): void {
    const count = this.#count;
    if (count === 0) return;
    this.#count = 0;
    if (count === 1) return this.#push(this.#lastAt, this.#last);
    const lowFirst = this.#lowAt <= this.#highAt;
    this.#push(lowFirst ? this.#lowAt : this.#highAt, lowFirst ? this.#low : this.#high);
    this.#push(lowFirst ? this.#highAt : this.#lowAt, lowFirst ? this.#high : this.#low);
    this.#push(this.#lastAt, this.#last);
  }

  #push(atMs: number, value: number): void {
    const { length, ts, value: values } = this.#series;
    if (length > 0 && ts[length - 1] === atMs && values[length - 1] === value) return;
    this.#series.push(atMs, value);
  }
}
