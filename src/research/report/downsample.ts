/**
 * Thins the equity curve: each bucket keeps first, lowest, highest, last and deepest drawdown, so drawdowns stay exact.
 */
type Points = readonly (readonly [ts: number, value: number])[];

export interface EquityColumns {
  readonly ts: number[];
  readonly equity: number[];
}

/** At most about `6 × buckets` points. */
export function thinEquity(points: Points, buckets: number): EquityColumns {
  const columns: EquityColumns = { ts: [], equity: [] };
  for (const index of keptIndices(points, buckets)) {
    columns.ts.push(points[index]![0]);
    columns.equity.push(points[index]![1]);
  }
  return columns;
}

/** Index of the highest point so far, at each point. */
function peaksOf(points: Points): Uint32Array {
  const peaks = new Uint32Array(points.length);
  for (let i = 1; i < points.length; i++) {
    const before = peaks[i - 1]!;
    peaks[i] = points[i]![1] > points[before]![1] ? i : before;
  }
  return peaks;
}

function* keptIndices(points: Points, buckets: number): Iterable<number> {
  const peaks = peaksOf(points);
  const size = points.length <= buckets * 6 ? 1 : points.length / buckets;
  for (let start = 0; start < points.length;) {
    const end = Math.min(points.length, Math.max(start + 1, Math.ceil((Math.floor(start / size) + 1) * size)));
    yield* bucketIndices(points, peaks, start, end);
    start = end;
  }
}

function bucketIndices(points: Points, peaks: Uint32Array, start: number, end: number): number[] {
  const depth = (i: number): number => points[i]![1] / points[peaks[i]!]![1];
  let low = start;
  let high = start;
  let deep = start;
  for (let i = start + 1; i < end; i++) {
    if (points[i]![1] < points[low]![1]) low = i;
    if (points[i]![1] > points[high]![1]) high = i;
    if (depth(i) < depth(deep)) deep = i;
  }
  // An earlier peak is kept in its own bucket.
  return [...new Set([start, low, high, Math.max(start, peaks[deep]!), deep, end - 1])].sort((a, b) => a - b);
}
