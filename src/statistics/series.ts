/**
 * A step function: `value[i]` holds from `ts[i]` until `ts[i + 1]`. Times never fall; of equal times the last counts.
 */
export interface Series {
  readonly ts: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  readonly length: number;
}

export type Point = readonly [ts: number, value: number];

/** In points, at the start. */
export const CAPACITY = 1024;

/** Grows by `push`; 16 bytes a point. */
export class GrowingSeries implements Series {
  ts: Float64Array;
  value: Float64Array;
  length = 0;

  constructor(capacity = CAPACITY) {
    this.ts = new Float64Array(capacity);
    this.value = new Float64Array(capacity);
  }

  push(ts: number, value: number): void {
    if (this.length === this.ts.length) this.makeRoom();
    this.ts[this.length] = ts;
    this.value[this.length] = value;
    this.length++;
  }

  points(): Point[] {
    return pointsOf(this);
  }

  /** For one point at least. */
  protected makeRoom(): void {
    this.grow(this.length * 2);
  }

  protected grow(capacity: number): void {
    const ts = new Float64Array(capacity);
    const value = new Float64Array(capacity);
    ts.set(this.ts);
    value.set(this.value);
    this.ts = ts;
    this.value = value;
  }
}

export function seriesOf(points: Iterable<Point>): Series {
  const series = new GrowingSeries();
  for (const [ts, value] of points) series.push(ts, value);
  return series;
}

/** The `[[ts, value]]` form of the result file. */
export function pointsOf(series: Series): Point[] {
  return Array.from({ length: series.length }, (_, i): Point => [series.ts[i]!, series.value[i]!]);
}

/** Last point at or before `ts`, or −1. */
export function indexAt(series: Series, ts: number): number {
  let low = 0;
  let high = series.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (series.ts[middle]! <= ts) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Null before the first point. */
export function valueAt(series: Series, ts: number): number | null {
  const index = indexAt(series, ts);
  return index < 0 ? null : series.value[index]!;
}

export function isOrdered({ ts, length }: Series): boolean {
  for (let i = 1; i < length; i++) if (!(ts[i]! >= ts[i - 1]!)) return false;
  return true;
}

/** Stable sort by time. */
export function inOrder(series: Series): Series {
  if (isOrdered(series)) return series;
  const order = Array.from({ length: series.length }, (_, i) => i).sort((a, b) => series.ts[a]! - series.ts[b]!);
  const sorted = new GrowingSeries(series.length);
  for (const i of order) sorted.push(series.ts[i]!, series.value[i]!);
  return sorted;
}
