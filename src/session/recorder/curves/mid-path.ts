/** Mids of a symbol: last, lowest and highest of each second, and at fills. */
import type { Series } from '../../../statistics/series.ts';
import { ThinnedCurve, type SavedCurve } from './thinned-curve.ts';

export interface SavedPath {
  readonly last: number;
  readonly lastMs: number;
  readonly curve: SavedCurve;
}

export class MidPath {
  readonly symbol: string;
  readonly isPerpetual: boolean;
  last = Number.NaN;
  readonly #curve: ThinnedCurve;
  #lastMs = 0;

  constructor(symbol: string, pointsMax: number, isPerpetual: boolean) {
    this.symbol = symbol;
    this.#curve = new ThinnedCurve(pointsMax);
    this.isPerpetual = isPerpetual;
  }

  get lastMs(): number {
    return this.#lastMs;
  }

  get series(): Series {
    return this.#curve.series();
  }

  add(atMs: number, mid: number): void {
    this.last = mid;
    this.#lastMs = atMs;
    this.#curve.add(atMs, mid);
  }

  saved(): SavedPath {
    return { last: this.last, lastMs: this.#lastMs, curve: this.#curve.saved() };
  }

  load({ last, lastMs, curve }: SavedPath): void {
    this.last = last;
    this.#lastMs = lastMs;
    this.#curve.load(curve);
  }

  precede(before: MidPath): void {
    this.#curve.precede(before.#curve);
  }

  pin(atMs: number): void {
    if (!Number.isNaN(this.last)) this.#curve.fix(Math.max(atMs, this.#lastMs), this.last);
  }
}
