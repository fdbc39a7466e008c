/** Where a time and a price are on the chart of prices, also between bars. */
import type { IChartApi, ISeriesApi, Logical } from 'lightweight-charts';

export interface Axis {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<'Candlestick'>;
  /** Open times of the bars, Unix ms, growing. */
  readonly times: readonly number[];
  readonly intervalMs: number;
}

/** Index of the last of some growing times at or before `at`, or −1. */
export function indexAt(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A bar is drawn around its middle, and its time is its start. Null before the first bar. */
export function xOf({ chart, times, intervalMs }: Axis, ms: number): number | null {
  const index = indexAt(times, ms);
  if (index < 0) return null;
  const scale = chart.timeScale();
  const x = scale.logicalToCoordinate(index as Logical);
  if (x === null) return null;
  const isLast = index === times.length - 1;
  const part = (ms - (times[index] ?? 0)) / intervalMs;
  return x + (Math.min(isLast ? 2 : 1, part) - 0.5) * scale.options().barSpacing;
}

export function yOf({ series }: Axis, price: number): number | null {
  return series.priceToCoordinate(price);
}
