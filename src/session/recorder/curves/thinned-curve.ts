/** Fixed points, and last, lowest and highest of each second; of equity also its deepest drawdown. */
import type { Series } from '../../../statistics/series.ts';
import { BoundedSeries } from './bounded-series.ts';
import { DeepestFall, mark, setMark, type Mark, type SavedFall } from './deepest-fall.ts';

const SECOND_MS = 1000;

export interface SavedCurve {
  /** Lowest, highest and last of the running second. */
  readonly marks: readonly [Mark, Mark, Mark];
  readonly second: number;
  readonly count: number;
  readonly flushed: number;
  readonly fall: SavedFall | null;
}

export class ThinnedCurve {
  readonly #pointsMax: number;
  #series: BoundedSeries;
  readonly #fall: DeepestFall | null;
  readonly #low = mark();
  readonly #high = mark();
  readonly #last = mark();
  #second = -1;
  #count = 0;
  #flushed = 0;

  /** `drawdown: 'exact'`: the values plus `base` are an equity. */
  constructor(pointsMax = Infinity, { drawdown = 'thinned' }: { readonly drawdown?: 'exact' | 'thinned' } = {}) {
    this.#pointsMax = pointsMax;
    this.#series = new BoundedSeries(pointsMax, drawdown === 'exact' ? 0 : null);
    this.#fall = drawdown === 'exact' ? new DeepestFall() : null;
  }

  /** In ms; 0 while every second is kept. */
  get stretchMs(): number {
    return this.#series.stretchMs;
  }

  set base(base: number) {
    if (this.#fall === null) return;
    this.#fall.base = base;
    this.#series.base = base;
  }

  add(atMs: number, value: number): void {
    const second = Math.floor(atMs / SECOND_MS);
    if (second !== this.#second) {
      this.#flush();
      this.#second = second;
    }
    const no = this.#flushed + ++this.#count;
    if (this.#count > 1) this.#spread(no, atMs, value);
    setMark(this.#last, no, atMs, value);
    this.#fall?.add(no, atMs, value);
  }

  fix(atMs: number, value: number): void {
    this.#flush();
    this.#fall?.add(++this.#flushed, atMs, value);
    this.#series.push(atMs, value);
  }

  series(): Series {
    this.#flush();
    return this.#series;
  }

  /** What later points are added to. */
  saved(): SavedCurve {
    const last = this.#last;
    const fall = this.#fall?.saved() ?? null;
    return {
      marks: this.#count > 1 ? [this.#low, this.#high, last] : [last, last, last],
      second: this.#second,
      count: this.#count,
      flushed: this.#flushed,
      fall,
    };
  }

  load({ marks: [low, high, last], second, count, flushed, fall }: SavedCurve): void {
    Object.assign(this.#low, low);
    Object.assign(this.#high, high);
    Object.assign(this.#last, last);
    [this.#second, this.#count, this.#flushed] = [second, count, flushed];
    if (fall !== null) this.#fall?.load(fall);
  }

  /** Puts the points before those of this curve, which was loaded from what `before` saved. */
  precede(before: ThinnedCurve): void {
    const whole = new BoundedSeries(this.#pointsMax, this.#series.base);
    for (const { ts, value, length } of [before.#series, this.series()])
      for (let index = 0; index < length; index++) whole.push(ts[index]!, value[index]!);
    this.#series = whole;
  }

  /** Of bars most seconds have one point, which is lowest, highest and last. */
  #spread(no: number, atMs: number, value: number): void {
    const last = this.#last;
    if (this.#count === 2) for (const each of [this.#low, this.#high]) setMark(each, last.no, last.atMs, last.value);
    if (value < this.#low.value) setMark(this.#low, no, atMs, value);
    if (value > this.#high.value) setMark(this.#high, no, atMs, value);
  }

  #flush(): void {
    const count = this.#count;
    if (count === 0) return;
    if (count === 1) this.#push(this.#last);
    else this.#pushAll();
    this.#count = 0;
    this.#flushed += count;
  }

  /** Of this second, in order of arrival. */
  #pushAll(): void {
    const fall = this.#fall;
    const isLowFirst = this.#low.no <= this.#high.no;
    const first = isLowFirst ? this.#low : this.#high;
    const then = isLowFirst ? this.#high : this.#low;
    if (fall === null || fall.trough.no <= this.#flushed) {
      this.#push(first);
      this.#push(then);
      this.#push(this.#last);
      return;
    }
    const ofFall = fall.peak.no > this.#flushed ? [fall.peak, fall.trough] : [fall.trough];
    const kept = [first, then, ...ofFall, this.#last];
    for (const point of kept.sort((left, right) => left.no - right.no)) this.#push(point);
  }

  #push({ atMs, value }: Mark): void {
    const { length, ts, value: values } = this.#series;
    if (length > 0 && ts[length - 1] === atMs && values[length - 1] === value) return;
    this.#series.push(atMs, value);
  }
}
