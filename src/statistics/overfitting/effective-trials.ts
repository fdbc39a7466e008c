/**
 * How many independent trials a set of correlated ones amounts to (docs/metrics.md, "Overfitting"):
 * K_eff = exp(−Σ p·ln p), p the shares of the eigenvalues of the correlation matrix. Equal trials count once, uncorrelated
 * ones each. Pure.
 */
import { momentsOf } from '../moments.ts';

/** Sweeps of Jacobi's method until the off-diagonal is rounding; a dozen suffice for any matrix. */
const SWEEPS_MAX = 60;
const OFF_DIAGONAL_MIN = 1e-14;

/** Rows of returns, one per trial, all of one length. Trials that never moved are one trial together. */
export function effectiveTrials(returns: readonly Float64Array[]): number {
  const moving = returns.filter((row) => (momentsOf(row).std ?? 0) > 0);
  const still = moving.length < returns.length ? 1 : 0;
  if (moving.length === 0) return still;
  const eigenvalues = symmetricEigenvalues(correlationMatrix(moving), moving.length);
  let entropy = 0;
  for (const value of eigenvalues) {
    const share = value / moving.length;
    if (share > 0) entropy -= share * Math.log(share);
  }
  return Math.exp(entropy) + still;
}

/** Pearson correlations of rows, row-major. */
export function correlationMatrix(rows: readonly Float64Array[]): Float64Array {
  const size = rows.length;
  const scaled = rows.map(standardised);
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    matrix[i * size + i] = 1;
    for (let j = 0; j < i; j++) {
      const value = Math.max(-1, Math.min(1, dot(scaled[i]!, scaled[j]!)));
      matrix[i * size + j] = value;
      matrix[j * size + i] = value;
    }
  }
  return matrix;
}

/** Eigenvalues of a symmetric matrix (row-major, left alone) by cyclic Jacobi rotations. */
export function symmetricEigenvalues(matrix: Float64Array, size: number): Float64Array {
  const a = matrix.slice();
  for (let sweep = 0; sweep < SWEEPS_MAX && offDiagonal(a, size) > OFF_DIAGONAL_MIN * size; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, size, p, q);
  }
  return Float64Array.from({ length: size }, (_, index) => a[index * size + index]!);
}

function rotate(a: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q]!;
  if (apq === 0) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const akp = a[k * size + p]!;
    const akq = a[k * size + q]!;
    a[k * size + p] = c * akp - s * akq;
    a[k * size + q] = s * akp + c * akq;
  }
  for (let k = 0; k < size; k++) {
    const apk = a[p * size + k]!;
    const aqk = a[q * size + k]!;
    a[p * size + k] = c * apk - s * aqk;
    a[q * size + k] = s * apk + c * aqk;
  }
}

function offDiagonal(a: Float64Array, size: number): number {
  let sum = 0;
  for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) sum += a[p * size + q]! ** 2;
  return Math.sqrt(sum);
}

/** Mean zero, length one. */
function standardised(row: Float64Array): Float64Array {
  const { mean } = momentsOf(row);
  const centred = row.map((value) => value - (mean ?? 0));
  const length = Math.sqrt(dot(centred, centred));
  return centred.map((value) => value / length);
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}
