/**
 * The equity curve thinned to what a screen can show, without losing what matters: of each bucket the first, the lowest,
 * the highest, the deepest drawdown and the last point stay, with drawdowns of the full curve.
 */
type Points = readonly (readonly [ts: number, value: number])[];

export interface EquityColumns {
  readonly ts: number[];
  readonly equity: number[];
  /** Percent below the peak so far, 0 or negative. */
  readonly drawdown: number[];
}

/** At most about `5 × buckets` points; all of them when there are no more than that. */
export function thinEquity(points: Points, buckets: number): EquityColumns {
  const drawdown = drawdownsOf(points);
  const columns: EquityColumns = { ts: [], equity: [], drawdown: [] };
  for (const index of keptIndices(points, drawdown, buckets)) {
    columns.ts.push(Math.round(points[index]![0]));
    columns.equity.push(Number(points[index]![1].toPrecision(10)));
    columns.drawdown.push(Number(drawdown[index]!.toPrecision(6)));
  }
  return columns;
}

function drawdownsOf(points: Points): Float64Array {
  const drawdown = new Float64Array(points.length);
  let peak = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i++) {
    const value = points[i]![1];
    if (value > peak) peak = value;
    drawdown[i] = peak > 0 ? (value / peak - 1) * 100 : 0;
  }
  return drawdown;
}

function* keptIndices(points: Points, drawdown: Float64Array, buckets: number): Iterable<number> {
  const size = points.length <= buckets * 5 ? 1 : points.length / buckets;
  for (let start = 0; start < points.length;) {
    const end = Math.min(points.length, Math.max(start + 1, Math.ceil((Math.floor(start / size) + 1) * size)));
    yield* bucketIndices(points, drawdown, start, end);
    start = end;
  }
}

function bucketIndices(points: Points, drawdown: Float64Array, start: number, end: number): number[] {
  let low = start;
  let high = start;
  let deep = start;
  for (let i = start; i < end; i++) {
    if (points[i]![1] < points[low]![1]) low = i;
    if (points[i]![1] > points[high]![1]) high = i;
    if (drawdown[i]! < drawdown[deep]!) deep = i;
  }
  return [...new Set([start, low, high, deep, end - 1])].sort((a, b) => a - b);
}
