/** The mids of one symbol over a run: the last of each second, and whatever a fill pins. Bounded; kept by the recorder. */
import { BoundedSeries } from './bounded-series.ts';

const SECOND_MS = 1000;

/** Mids of one symbol: the last of each second, and whatever is pinned. */
export class MidPath {
  readonly series: BoundedSeries;
  readonly isPerpetual: boolean;
  last = Number.NaN;
  #second = -1;

  constructor(pointsMax: number, isPerpetual: boolean) {
    this.series = new BoundedSeries(pointsMax);
    this.isPerpetual = isPerpetual;
  }

  add(atMs: number, mid: number): void {
    this.last = mid;
    const second = Math.floor(atMs / SECOND_MS);
    const { series } = this;
    if (second === this.#second && series.length > 0) {
      series.ts[series.length - 1] = atMs;
      series.value[series.length - 1] = mid;
      return;
    }
    this.#second = second;
    series.push(atMs, mid);
  }

  pin(atMs: number): void {
    if (Number.isNaN(this.last)) return;
    const before = this.series.ts[this.series.length - 1] ?? atMs;
    this.series.push(Math.max(atMs, before), this.last);
    this.#second = -1;
  }
}
