/** The equity of a session as columns that grow; older points are thinned so that it stays small. */
import { signal } from '@preact/signals';
import type { EquityPoint } from '../wire/types.ts';

const POINTS_MAX = 6_000;

export class EquityCurveStore {
  readonly version = signal(0);
  points: EquityPoint[] = [];

  load(points: readonly EquityPoint[]): void {
    const last = points.at(-1)?.ts ?? Number.NEGATIVE_INFINITY;
    this.points = [...points, ...this.points.filter(({ ts }) => ts > last)];
    this.version.value++;
  }

  add(point: EquityPoint): void {
    if (point.ts <= (this.points.at(-1)?.ts ?? Number.NEGATIVE_INFINITY)) return;
    this.points.push(point);
    if (this.points.length > POINTS_MAX) {
      const half = this.points.length >> 1;
      this.points = this.points.filter((_, index) => index >= half || index % 2 === 0);
    }
    this.version.value++;
  }
}

/** Of one curve, in the reporting currency and as a part of the highest value before. */
export function deepestFall(points: readonly EquityPoint[]): { readonly amount: number; readonly share: number } {
  let peak = Number.NEGATIVE_INFINITY;
  let [amount, share] = [0, 0];
  for (const { equity } of points) {
    peak = Math.max(peak, equity);
    if (peak - equity > amount) amount = peak - equity;
    if (peak > 0 && (peak - equity) / peak > share) share = (peak - equity) / peak;
  }
  return { amount, share };
}
