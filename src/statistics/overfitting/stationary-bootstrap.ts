/**
 * The stationary bootstrap (Politis & Romano 1994): a resampled series of the same length out of blocks of random length,
 * geometric with a given mean, wrapped around the end, so that short dependence survives. Chance comes in. Pure.
 */
import type { Random } from '../../model/ports.ts';

/** The mean block of docs/metrics.md: √T. */
export function meanBlock(periods: number): number {
  return Math.max(1, Math.sqrt(periods));
}

/** Fills `into` with the periods of one resample. */
export function resample(into: Uint32Array, random: Random, block = meanBlock(into.length)): void {
  const periods = into.length;
  const restart = 1 / block;
  let at = 0;
  for (let index = 0; index < periods; index++) {
    if (index === 0 || random.next() < restart) at = Math.floor(random.next() * periods);
    else at = at + 1 === periods ? 0 : at + 1;
    into[index] = at;
  }
}

/** Linear interpolation between the order statistics (type 7), `p` in 0..1. Sorted input, not empty. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const position = p * (sorted.length - 1);
  const low = Math.floor(position);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (position - low) * (sorted[high]! - sorted[low]!);
}
