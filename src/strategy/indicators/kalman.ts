/** Kalman filters of a level and of a pair's hedge ratio. Each names its source and what a flat series gives. */
import { indicatorOf, type Indicator, type PairValues } from './indicator.ts';

export interface KalmanValue {
  readonly level: number;
  /** Of the level's estimate. */
  readonly deviation: number;
}

export interface KalmanHedgeValue {
  /** Units of `x` per unit of `y`. */
  readonly slope: number;
  readonly intercept: number;
  /** `y` less what the earlier estimate predicts for this `x`. */
  readonly residual: number;
  /** Of the residual, as the filter expects it. */
  readonly deviation: number;
  /** residual ÷ deviation. */
  readonly zScore: number;
}

/**
 * Kalman (1960), the local level model: level steps of variance `drift`, observations of variance `noise`.
 * Warm at once, at the first value. Flat: that value.
 */
export function kalman(drift: number, noise: number): Indicator<KalmanValue> {
  let level: number | undefined;
  let variance = noise;
  return indicatorOf((input: number) => {
    if (level === undefined) level = input;
    else {
      const prior = variance + drift;
      const gain = prior / (prior + noise);
      level += gain * (input - level);
      variance = gain * noise;
    }
    return { level, deviation: Math.sqrt(variance) };
  });
}

/**
 * Chan, Algorithmic Trading (2013), chapter 3: y = slope × x + intercept + noise of variance `noise`; slope and
 * intercept start at 0 and step with variance delta ÷ (1 − delta) each. Flat: the residual tends to 0.
 */
export function kalmanHedge(delta: number, noise: number): Indicator<KalmanHedgeValue, PairValues> {
  const step = delta / (1 - delta);
  let slope = 0;
  let intercept = 0;
  // The covariance of both: [a, b] over [b, c].
  let a = 0;
  let b = 0;
  let c = 0;
  return indicatorOf(({ x, y }: PairValues) => {
    a += step;
    c += step;
    const ofSlope = a * x + b;
    const ofIntercept = b * x + c;
    const residual = y - (slope * x + intercept);
    const variance = x * ofSlope + ofIntercept + noise;
    slope += (ofSlope / variance) * residual;
    intercept += (ofIntercept / variance) * residual;
    a -= (ofSlope * ofSlope) / variance;
    b -= (ofSlope * ofIntercept) / variance;
    c -= (ofIntercept * ofIntercept) / variance;
    const deviation = Math.sqrt(variance);
    return { slope, intercept, residual, deviation, zScore: residual / deviation };
  });
}
