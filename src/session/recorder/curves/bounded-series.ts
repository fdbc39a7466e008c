/**
 * A series with a bounded number of points. When full, each stretch keeps its lowest, highest and last point, and
 * stretches double. For an equity, peak and trough of the deepest drawdown are kept.
 */
import { CAPACITY, GrowingSeries } from '../../../statistics/series.ts';
import { DeepestFall } from './deepest-fall.ts';

const FIRST_STRETCH_MS = 1000;

export class BoundedSeries extends GrowingSeries {
  readonly #pointsMax: number;
  /** Values plus this are an equity; null: they are none. */
  base: number | null;
  #stretchMs = 0;

  /** At least 16 (RangeError); `Infinity` keeps every point. */
  constructor(pointsMax: number, base: number | null = null) {
    if (!(pointsMax >= 16)) throw new RangeError(`a series of ${pointsMax} points is none`);
    super(Math.min(pointsMax, CAPACITY));
    this.base = base;
    this.#pointsMax = pointsMax;
  }

  /** In ms; 0 while every point is kept. */
  get stretchMs(): number {
    return this.#stretchMs;
  }

  protected override makeRoom(): void {
    if (this.ts.length < this.#pointsMax) this.grow(Math.min(this.ts.length * 2, this.#pointsMax));
    while (this.length >= this.#pointsMax) this.#thin();
  }

  #thin(): void {
    this.#stretchMs = this.#stretchMs === 0 ? this.#firstStretch() : this.#stretchMs * 2;
    this.length = this.#keepExtremes(this.#stretchMs);
  }

  /** A stretch with one or two points keeps them all. */
  #firstStretch(): number {
    const leastMs = this.#leastOfThree();
    let stretchMs = FIRST_STRETCH_MS;
    while (stretchMs <= leastMs) stretchMs *= 2;
    return stretchMs;
  }

  #keepExtremes(stretchMs: number): number {
    const { ts, value, length } = this;
    const deepest = this.#deepest();
    const isEquity = deepest.length > 0;
    let stretch = Math.floor(ts[0]! / stretchMs);
    let first = 0;
    let low = 0;
    let high = 0;
    let kept = 0;
    for (let index = 1; index <= length; index++) {
      const own = index === length ? Infinity : Math.floor(ts[index]! / stretchMs);
      if (own !== stretch) {
        const start = kept;
        for (let at = first; at < index; at++)
          if (at === low || at === high || at === index - 1 || (isEquity && deepest.includes(at)))
            kept = this.#put(at, kept, start);
        stretch = own;
        first = index;
        low = index;
        high = index;
      } else if (value[index]! < value[low]!) low = index;
      else if (value[index]! > value[high]!) high = index;
    }
    return kept;
  }

  /** Indices of its peak and trough. */
  #deepest(): readonly number[] {
    if (this.base === null) return [];
    const fall = new DeepestFall();
    fall.base = this.base;
    for (let index = 0; index < this.length; index++) fall.add(index + 1, this.ts[index]!, this.value[index]!);
    return fall.trough.no === 0 ? [] : [fall.peak.no - 1, fall.trough.no - 1];
  }

  /** In ms; 0 where two points are equal. */
  #leastOfThree(): number {
    const { ts, value, length } = this;
    let leastMs = Infinity;
    for (let index = 1; index < length; index++) {
      if (ts[index] === ts[index - 1] && value[index] === value[index - 1]) return 0;
      if (index > 1) leastMs = Math.min(leastMs, ts[index]! - ts[index - 2]!);
    }
    return leastMs;
  }

  #put(index: number, end: number, start: number): number {
    const { ts, value } = this;
    if (end > start && ts[end - 1] === ts[index] && value[end - 1] === value[index]) return end;
    ts[end] = ts[index]!;
    value[end] = value[index]!;
    return end + 1;
  }
}
