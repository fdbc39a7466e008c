/** Fixed points, and last, lowest and highest of each second; of equity also its deepest drawdown. */
import type { Series } from '../statistics/series.ts';
import { BoundedSeries } from './bounded-series.ts';
import { DeepestFall, mark, setMark, type Mark } from './deepest-fall.ts';

const SECOND_MS = 1000;

export class ThinnedCurve {
  readonly #series: BoundedSeries;
  readonly #fall: DeepestFall | null;
  readonly #low = mark();
  readonly #high = mark();
  readonly #last = mark();
  #second = -1;
  #count = 0;
  #flushed = 0;

  /** `drawdown: 'exact'`: the values plus `base` are an equity. */
  constructor(pointsMax = Infinity, { drawdown = 'thinned' }: { readonly drawdown?: 'exact' | 'thinned' } = {}) {
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
    if (this.#count === 1 || value < this.#low.value) setMark(this.#low, no, atMs, value);
    if (this.#count === 1 || value > this.#high.value) setMark(this.#high, no, atMs, value);
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

  #flush(): void {
    const count = this.#count;
    if (count === 0) return;
    if (count === 1) this.#push(this.#last);
    else for (const point of this.#kept()) this.#push(point);
    this.#count = 0;
    this.#flushed += count;
  }

  /** Of this second, in order of arrival. */
  #kept(): readonly Mark[] {
    const first = this.#low.no <= this.#high.no ? this.#low : this.#high;
    const then = first === this.#low ? this.#high : this.#low;
    const fall = this.#fall;
    if (fall === null || fall.trough.no <= this.#flushed) return [first, then, this.#last];
    const ofFall = fall.peak.no > this.#flushed ? [fall.peak, fall.trough] : [fall.trough];
    return [first, then, ...ofFall, this.#last].toSorted((left, right) => left.no - right.no);
  }

  #push({ atMs, value }: Mark): void {
    const { length, ts, value: values } = this.#series;
    if (length > 0 && ts[length - 1] === atMs && values[length - 1] === value) return;
    this.#series.push(atMs, value);
  }
}
