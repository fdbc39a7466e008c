/**
 * Sample moments: std with n − 1, bias-adjusted skewness G1 and raw kurtosis G2 + 3 (pandas; normal is 3). Undefined is
 * null.
 */
export interface Moments {
  readonly count: number;
  readonly mean: number | null;
  /** Sample std (n − 1); 0 when values differ by rounding alone. */
  readonly std: number | null;
  readonly skew: number | null;
  readonly kurtosis: number | null;
}

/** Smaller relative differences are rounding. */
const RELATIVE_NOISE = 1e-12;

/** Neumaier's compensated sum. */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** `noise`: deviation below which differences are rounding. */
export function momentsOf(values: ArrayLike<number>, noise = 0): Moments {
  const count = values.length;
  if (count === 0) return { count, mean: null, std: null, skew: null, kurtosis: null };
  const mean = sumOf(values) / count;
  let largest = 0;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    largest = Math.max(largest, Math.abs(value));
    const d = value - mean;
    const d2 = d * d;
    m2 += d2;
    m3 += d2 * d;
    m4 += d2 * d2;
  }
  if (count < 2) return { count, mean, std: null, skew: null, kurtosis: null };
  const std = Math.sqrt(m2 / (count - 1));
  if (std <= Math.max(noise, RELATIVE_NOISE * largest)) return { count, mean, std: 0, skew: null, kurtosis: null };
  return { count, mean, std, skew: skewOf(count, m2, m3), kurtosis: kurtosisOf(count, m2, m4) };
}

function skewOf(n: number, m2: number, m3: number): number | null {
  if (n < 3) return null;
  const g1 = m3 / n / (m2 / n) ** 1.5;
  return finite((Math.sqrt(n * (n - 1)) / (n - 2)) * g1);
}

function kurtosisOf(n: number, m2: number, m4: number): number | null {
  if (n < 4) return null;
  const g2 = m4 / n / (m2 / n) ** 2 - 3;
  return finite(((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * g2 + 6) + 3);
}

/** Null unless finite: no Infinity or NaN leaves this room. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** a / b; null when either is null or the quotient is not finite. */
export function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null || b === 0 ? null : finite(a / b);
}
