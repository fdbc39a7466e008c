/**
 * Standard normal to double accuracy: Marsaglia's series and a continued fraction; Acklam's inverse with two Newton
 * steps.
 */
const SQRT_2PI = Math.sqrt(2 * Math.PI);

export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_2PI;
}

/** Φ(x). */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > 38) return 1;
  if (x < -38) return 0;
  if (Math.abs(x) > 5) return x > 0 ? 1 - upperTail(x) : upperTail(-x);
  let sum = x;
  let term = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + sum * normalDensity(x);
}

/** 1 − Φ(x) for x > 5: φ(x)/(x + 1/(x + 2/(x + …))). */
function upperTail(x: number): number {
  let fraction = x;
  for (let k = 60; k >= 1; k--) fraction = x + k / fraction;
  return normalDensity(x) / fraction;
}

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}

/** Φ⁻¹(p), 0 < p < 1; ±Infinity at the ends. */
export function normalQuantile(p: number): number {
  if (!(p > 0)) return p === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (!(p < 1)) return p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p);
  let x: number;
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    x = polynomial(C, q) / polynomial(D, q);
  } else {
    const q = p - 0.5;
    x = (polynomial(A, q * q) * q) / polynomial(B, q * q);
  }
  for (let step = 0; step < 2; step++) x -= (normalCdf(x) - p) / normalDensity(x);
  return x;
}
