/**
 * How many independent trials a set of correlated ones amounts to (docs/metrics.md, "Overfitting"):
 * K_eff = exp(−Σ p·ln p), p the shares of the eigenvalues of the correlation matrix. Equal trials count once, uncorrelated
 * ones each. Pure.
 */
import { momentsOf } from '../moments.ts';
import { symmetricEigen } from '../symmetric-eigen.ts';

/** Rows of returns, one per trial, all of one length. Trials that never moved are one trial together. */
export function effectiveTrials(returns: readonly Float64Array[]): number {
  const moving = returns.filter((row) => (momentsOf(row).std ?? 0) > 0);
  const still = moving.length < returns.length ? 1 : 0;
  if (moving.length === 0) return still;
  const eigenvalues = symmetricEigen(correlationMatrix(moving), moving.length).values;
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
