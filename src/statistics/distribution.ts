/** Tails, skewness and kurtosis of the returns. Percentiles interpolate linearly, as numpy's. */
import { finite, momentsOf, ratio } from './numbers/moments.ts';
import { RETURN_NOISE } from './ratios.ts';

export interface Distribution {
  /** 5th percentile of the returns, a fraction. */
  readonly var95: number | null;
  /** Mean of the returns at or below `var95`. */
  readonly cvar95: number | null;
  readonly skew: number | null;
  readonly kurtosis: number | null;
  /** |p95|/|p5|. */
  readonly tailRatio: number | null;
}

/** 0 ≤ p ≤ 1, linearly interpolated. */
export function percentile(sorted: ArrayLike<number>, p: number): number | null {
  if (sorted.length === 0) return null;
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (at - below);
}

export function distributionOf(returns: Float64Array): Distribution {
  const { skew, kurtosis } = momentsOf(returns, RETURN_NOISE);
  const sorted = returns.toSorted();
  const p5 = percentile(sorted, 0.05);
  const p95 = percentile(sorted, 0.95);
  if (p5 === null || p95 === null) return { var95: null, cvar95: null, skew, kurtosis, tailRatio: null };
  let sum = 0;
  let count = 0;
  while (count < sorted.length && sorted[count]! <= p5) sum += sorted[count++]!;
  return {
    var95: p5,
    cvar95: count === 0 ? p5 : finite(sum / count),
    skew,
    kurtosis,
    tailRatio: ratio(Math.abs(p95), Math.abs(p5)),
  };
}
