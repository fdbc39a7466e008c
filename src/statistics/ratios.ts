/** Reward-to-risk ratios of simple returns. Rates are per period; N periods make a year. */
import { finite, momentsOf, ratio, sumOf } from './numbers/moments.ts';

/** Rounding of a quotient of doubles near 1. */
export const RETURN_NOISE = 1e-15;

/** Sample std · √N. */
export function volatility(returns: Float64Array, periodsPerYear: number): number | null {
  const { std } = momentsOf(returns, RETURN_NOISE);
  return std === null ? null : finite(std * Math.sqrt(periodsPerYear));
}

/** mean(r − rf)/std, per period; null without variance. */
export function periodSharpe(returns: Float64Array, riskFree: number): number | null {
  const { mean, std } = momentsOf(returns, RETURN_NOISE);
  return mean === null ? null : ratio(mean - riskFree, std);
}

/** mean(r − MAR)·N / (√mean(min(r − MAR, 0)²)·√N); null when no period fell short. */
export function sortino(returns: Float64Array, minimum: number, periodsPerYear: number): number | null {
  if (returns.length === 0) return null;
  const excess = sumOf(returns) / returns.length - minimum;
  const downside = Math.sqrt(sumOf(returns.map((r) => Math.min(r - minimum, 0) ** 2)) / returns.length);
  if (downside <= RETURN_NOISE) return null;
  return finite((excess / downside) * Math.sqrt(periodsPerYear));
}

/** Σmax(r, 0)/Σmax(−r, 0); null when nothing was lost. */
export function omega(returns: Float64Array): number | null {
  const gains = sumOf(returns.map((r) => Math.max(r, 0)));
  const losses = sumOf(returns.map((r) => Math.max(-r, 0)));
  return ratio(gains, losses);
}

/** cagr/|maxDrawdown|, both fractions. */
export function calmar(cagr: number | null, maxDrawdownPct: number | null): number | null {
  return ratio(cagr, maxDrawdownPct === null ? null : Math.abs(maxDrawdownPct) / 100);
}

/** R² of a line through cumulative log returns; null when flat or a return is ≤ −100 %. */
export function stability(returns: Float64Array): number | null {
  const n = returns.length;
  if (n < 2) return null;
  const curve = new Float64Array(n);
  let level = 0;
  for (let i = 0; i < n; i++) {
    if (returns[i]! <= -1) return null;
    level += Math.log1p(returns[i]!);
    curve[i] = level;
  }
  const meanX = (n - 1) / 2;
  const meanY = sumOf(curve) / n;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < n; i++) {
    const dx = i - meanX;
    const dy = curve[i]! - meanY;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return Math.sqrt(yy / n) <= RETURN_NOISE ? null : finite((xy * xy) / (xx * yy));
}
