/**
 * Significance of a Sharpe ratio (docs/metrics.md, "Significance"). Values are per period; γ3 skewness, γ4 raw
 * kurtosis, T number of returns.
 */
import { finite } from './numbers/moments.ts';
import { normalCdf, normalQuantile } from './numbers/normal.ts';

export interface SharpeEstimate {
  readonly sharpe: number;
  readonly skew: number;
  readonly kurtosis: number;
  readonly samples: number;
}

/** 1 − γ3·SR + (γ4 − 1)/4·SR², the variance of one sample. */
function spread({ sharpe, skew, kurtosis }: SharpeEstimate): number {
  return 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/** P(true Sharpe > `benchmark`) = Φ((SR − SR*)/√V). */
export function probabilisticSharpe(estimate: SharpeEstimate, benchmark = 0): number | null {
  const variance = spread(estimate) / (estimate.samples - 1);
  if (!(variance > 0)) return null;
  return finite(normalCdf((estimate.sharpe - benchmark) / Math.sqrt(variance)));
}

/** Periods until SR > `benchmark` at `confidence`; null when it is not above. */
export function minTrackRecord(estimate: SharpeEstimate, benchmark = 0, confidence = 0.95): number | null {
  const distance = estimate.sharpe - benchmark;
  const variance = spread(estimate);
  if (!(distance > 0) || !(variance > 0)) return null;
  return finite(1 + variance * (normalQuantile(confidence) / distance) ** 2);
}

/** 95 % interval, annualised. */
export function sharpeInterval(estimate: SharpeEstimate, periodsPerYear: number): readonly [number, number] | null {
  const variance = spread(estimate) / (estimate.samples - 1);
  if (!(variance > 0)) return null;
  const half = normalQuantile(0.975) * Math.sqrt(variance);
  const scale = Math.sqrt(periodsPerYear);
  return [(estimate.sharpe - half) * scale, (estimate.sharpe + half) * scale];
}
