/** Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations; fast up to a few hundred rows. */

/** About a dozen sweeps suffice. */
const SWEEPS_MAX = 60;
const OFF_DIAGONAL_MIN = 1e-14;

export interface Eigen {
  readonly values: Float64Array;
  /** Row-major, orthonormal; column k belongs to value k. */
  readonly vectors: Float64Array;
}

/** `matrix`: row-major, symmetric, not changed. */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const a = matrix.slice();
  const vectors = new Float64Array(size * size);
  for (let index = 0; index < size; index++) vectors[index * size + index] = 1;
  for (let sweep = 0; sweep < SWEEPS_MAX && offDiagonal(a, size) > OFF_DIAGONAL_MIN * size; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, size, p, q);
  }
  return { values: Float64Array.from({ length: size }, (_, index) => a[index * size + index]!), vectors };
}

function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q]!;
  if (apq === 0) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  turnColumns(a, size, p, q, c, s);
  turnColumns(vectors, size, p, q, c, s);
  for (let k = 0; k < size; k++) {
    const apk = a[p * size + k]!;
    const aqk = a[q * size + k]!;
    a[p * size + k] = c * apk - s * aqk;
    a[q * size + k] = s * apk + c * aqk;
  }
}

function turnColumns(a: Float64Array, size: number, p: number, q: number, c: number, s: number): void {
  for (let k = 0; k < size; k++) {
    const akp = a[k * size + p]!;
    const akq = a[k * size + q]!;
    a[k * size + p] = c * akp - s * akq;
    a[k * size + q] = s * akp + c * akq;
  }
}

function offDiagonal(a: Float64Array, size: number): number {
  let sum = 0;
  for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) sum += a[p * size + q]! ** 2;
  return Math.sqrt(sum);
}
