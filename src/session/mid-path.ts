/** Mids of a symbol: last, lowest and highest of each second, and at fills. */
import type { Series } from '../statistics/series.ts';
import { ThinnedCurve } from './thinned-curve.ts';

export class MidPath {
  readonly isPerpetual: boolean;
  last = Number.NaN;
  readonly #curve: ThinnedCurve;
  #lastMs = 0;

  constructor(pointsMax: number, isPerpetual: boolean) {
    this.#curve = new ThinnedCurve(pointsMax);
    this.isPerpetual = isPerpetual;
  }

  get series(): Series {
    return this.#curve.series();
  }

  add(atMs: number, mid: number): void {
    this.last = mid;
    this.#lastMs = atMs;
    this.#curve.add(atMs, mid);
  }

  pin(atMs: number): void {
    if (!Number.isNaN(this.last)) this.#curve.fix(Math.max(atMs, this.#lastMs), this.last);
  }
}
