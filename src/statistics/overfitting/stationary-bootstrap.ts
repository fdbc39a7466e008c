/**
 * Stationary bootstrap (Politis & Romano 1994): blocks of geometric length, wrapped, so that short dependence survives.
 */
import type { Random } from '../../model/ports.ts';

/** √T: mean block of bands and reality check. */
export function meanBlock(periods: number): number {
  return Math.max(1, Math.sqrt(periods));
}

/** ⌈T^⅓⌉: mean block of the best-of-many test, lags of the long-run variance (docs/metrics.md). */
export function shortBlock(periods: number): number {
  return Math.max(1, Math.ceil(Math.cbrt(periods) - 1e-9));
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

/** Blocks of draw `d`: `ends[d − 1]` to `ends[d]`, each from `from[i]` to before `to[i]`. */
export interface BlockDraws {
  readonly periods: number;
  readonly draws: number;
  /** A wrapped block reaches beyond `periods`, up to twice of it. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly ends: Uint32Array;
}

/** Same distribution as `resample`, for prefix sums. */
export function blockDraws(periods: number, draws: number, block: number, random: Random): BlockDraws {
  const from: number[] = [];
  const to: number[] = [];
  const ends = new Uint32Array(draws);
  const scale = block > 1 ? 1 / Math.log(1 - 1 / block) : 0;
  for (let draw = 0; draw < draws; draw++) {
    for (let filled = 0; filled < periods;) {
      const start = Math.floor(random.next() * periods);
      const length = 1 + Math.floor(Math.log(1 - random.next()) * scale);
      const taken = Math.min(length, periods - filled);
      from.push(start);
      to.push(start + taken);
      filled += taken;
    }
    ends[draw] = from.length;
  }
  return { periods, draws, from: new Uint32Array(from), to: new Uint32Array(to), ends };
}

/** Linear interpolation (type 7), 0 ≤ p ≤ 1. Sorted input, not empty. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const position = p * (sorted.length - 1);
  const low = Math.floor(position);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (position - low) * (sorted[high]! - sorted[low]!);
}
