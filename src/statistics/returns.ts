/** Returns at UTC boundaries (docs/metrics.md, "Returns"); the first and last period may be partial. */
import { alignDown } from '../model/time.ts';
import { statisticsErrors } from './errors.ts';
import type { Series } from './series.ts';

export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** More means a wrong `sampleMs`. */
const MAX_SAMPLES = 10_000_000;

/** `from`, each boundary strictly between, and `to`. */
export function gridTimes(from: number, to: number, sampleMs: number): Float64Array {
  const first = alignDown(from, sampleMs) + sampleMs;
  const inner = first < to ? Math.ceil((to - first) / sampleMs) : 0;
  if (inner > MAX_SAMPLES) {
    throw statisticsErrors.make('statistics_input', `${inner} periods of ${sampleMs} ms are too many; sample longer`);
  }
  const times = new Float64Array(inner + 2);
  times[0] = from;
  for (let k = 0; k < inner; k++) times[k + 1] = first + k * sampleMs;
  times[inner + 1] = to;
  return times;
}

/** Begin of the period that a point counts for: on a boundary the one that ends there, as in `sampleAtBoundaries`. */
export function periodBegin(ts: number, from: number, to: number, periodMs: number): number {
  const begin = Math.ceil(Math.min(ts, to) / periodMs) * periodMs - periodMs;
  return Math.max(begin, alignDown(from, periodMs));
}

/** Values at `gridTimes`. */
export function sampleAtBoundaries(series: Series, from: number, to: number, sampleMs: number): Float64Array {
  const times = gridTimes(from, to, sampleMs);
  const values = new Float64Array(times.length);
  const last = times.length - 1;
  values[0] = series.value[0]!;
  let at = 0;
  for (let k = 1; k < last; k++) {
    while (at + 1 < series.length && series.ts[at + 1]! <= times[k]!) at++;
    values[k] = series.value[at]!;
  }
  values[last] = series.value[series.length - 1]!;
  return values;
}

/** Null when a sample is not above zero. */
export function simpleReturns(samples: Float64Array): Float64Array | null {
  const returns = new Float64Array(samples.length - 1);
  for (let i = 0; i < returns.length; i++) {
    if (samples[i]! <= 0) return null;
    returns[i] = samples[i + 1]! / samples[i]! - 1;
  }
  return returns;
}
