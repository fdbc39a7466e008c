/**
 * CMA-ES (Hansen & Ostermeier 2001; parameters: arXiv 1604.00772) in the unit cube. Draws outside are repeated, then
 * clamped. One objective, ordered parameters.
 */
import { normal } from '../../../model/random.ts';
import type { Random } from '../../../model/ports.ts';
import { symmetricEigen } from '../../../statistics/numbers/symmetric-eigen.ts';
import { researchErrors } from '../../errors.ts';
import { compareJudgements } from '../judgement.ts';
import type { Space, UnitPoint } from '../space.ts';
import type { Evaluated, Sampler } from './sampler.ts';

const SIGMA_START = 0.3;
/** Below this it restarts elsewhere. */
const SIGMA_MIN = 1e-4;
const REDRAWS = 20;
const BELOW_ONE = 1 - Number.EPSILON;

export function cmaesSampler(space: Space, random: Random): Sampler {
  const categorical = space.dimensions.find(({ isCategorical }) => isCategorical);
  if (categorical !== undefined) {
    const message = `${categorical.name} is a choice without order, which cmaes cannot search; use tpe or nsga2`;
    throw researchErrors.make('sweep_space', message, { name: categorical.name });
  }
  const size = space.dimensions.length;
  let state = new Distribution(
    size,
    Float64Array.from({ length: size }, () => 0.5),
  );
  return {
    batch: state.lambda,
    ask: (count) => Array.from({ length: count }, () => state.draw(random)),
    tell: (evaluated) => {
      if (evaluated.length < 2) return;
      state.learn(evaluated);
      if (state.sigma < SIGMA_MIN)
        state = new Distribution(
          size,
          Float64Array.from({ length: size }, () => random.next()),
        );
    },
  };
}

class Distribution {
  readonly lambda: number;
  sigma = SIGMA_START;
  readonly #size: number;
  readonly #mean: Float64Array;
  readonly #covariance: Float64Array;
  readonly #path: Float64Array;
  readonly #sigmaPath: Float64Array;
  /** Columns are eigenvectors; roots of eigenvalues. */
  #basis: Float64Array;
  #roots: Float64Array;
  #generation = 0;

  constructor(size: number, mean: Float64Array) {
    this.#size = size;
    this.lambda = 4 + Math.floor(3 * Math.log(size));
    this.#mean = mean;
    this.#covariance = identity(size);
    this.#basis = identity(size);
    this.#roots = new Float64Array(size).fill(1);
    this.#path = new Float64Array(size);
    this.#sigmaPath = new Float64Array(size);
  }

  draw(random: Random): UnitPoint {
    let point: number[] = [];
    for (let attempt = 0; attempt < REDRAWS; attempt++) {
      const z = this.#roots.map((root) => root * normal(random));
      point = Array.from(this.#mean, (mean, row) => mean + this.sigma * dotRow(this.#basis, this.#size, row, z));
      if (point.every((unit) => unit >= 0 && unit < 1)) return point;
    }
    return point.map((unit) => Math.min(BELOW_ONE, Math.max(0, unit)));
  }

  learn(evaluated: readonly Evaluated[]): void {
    const n = this.#size;
    const sorted = evaluated.toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
    const mu = Math.floor(sorted.length / 2);
    const raw = Array.from({ length: mu }, (_, rank) => Math.log((sorted.length + 1) / 2) - Math.log(rank + 1));
    const rawSum = raw.reduce((sum, weight) => sum + weight, 0);
    const weights = raw.map((weight) => weight / rawSum);
    const muEff = 1 / weights.reduce((sum, weight) => sum + weight * weight, 0);
    const cSigma = (muEff + 2) / (n + muEff + 5);
    const damping = 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma;
    const cPath = (4 + muEff / n) / (n + 4 + (2 * muEff) / n);
    const c1 = 2 / ((n + 1.3) ** 2 + muEff);
    const cMu = Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff));
    const expectedNorm = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));

    const steps = sorted
      .slice(0, mu)
      .map(({ point }) => Float64Array.from(point, (unit, index) => (unit - this.#mean[index]!) / this.sigma));
    const step = Float64Array.from({ length: n }, (_, index) =>
      steps.reduce((sum, one, rank) => sum + weights[rank]! * one[index]!, 0),
    );
    for (let index = 0; index < n; index++) this.#mean[index]! += this.sigma * step[index]!;

    const whitened = this.#whiten(step);
    const keep = Math.sqrt(cSigma * (2 - cSigma) * muEff);
    for (let i = 0; i < n; i++) this.#sigmaPath[i] = (1 - cSigma) * this.#sigmaPath[i]! + keep * whitened[i]!;
    this.#generation++;
    const length = Math.hypot(...this.#sigmaPath);
    const isShort = length / Math.sqrt(1 - (1 - cSigma) ** (2 * this.#generation)) < (1.4 + 2 / (n + 1)) * expectedNorm;
    const pull = isShort ? Math.sqrt(cPath * (2 - cPath) * muEff) : 0;
    for (let i = 0; i < n; i++) this.#path[i] = (1 - cPath) * this.#path[i]! + pull * step[i]!;
    this.#stretch(steps, weights, { c1, cMu, lost: isShort ? 0 : c1 * cPath * (2 - cPath) });
    this.sigma = Math.min(1, this.sigma * Math.exp((cSigma / damping) * (length / expectedNorm - 1)));
    const { values, vectors } = symmetricEigen(this.#covariance, n);
    this.#basis = vectors;
    this.#roots = values.map((value) => Math.sqrt(Math.max(value, 1e-16)));
  }

  /** C^(−1/2) · step. */
  #whiten(step: Float64Array): Float64Array {
    const n = this.#size;
    const turned = Float64Array.from({ length: n }, (_, column) => {
      let sum = 0;
      for (let row = 0; row < n; row++) sum += this.#basis[row * n + column]! * step[row]!;
      return sum / this.#roots[column]!;
    });
    return Float64Array.from({ length: n }, (_, row) => dotRow(this.#basis, n, row, turned));
  }

  #stretch(
    steps: readonly Float64Array[],
    weights: readonly number[],
    { c1, cMu, lost }: { readonly c1: number; readonly cMu: number; readonly lost: number },
  ): void {
    const n = this.#size;
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const ranked = steps.reduce((sum, one, rank) => sum + weights[rank]! * one[row]! * one[column]!, 0);
        const at = row * n + column;
        this.#covariance[at] =
          (1 - c1 - cMu + lost) * this.#covariance[at]! + c1 * this.#path[row]! * this.#path[column]! + cMu * ranked;
      }
    }
  }
}

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let index = 0; index < size; index++) matrix[index * size + index] = 1;
  return matrix;
}

function dotRow(matrix: Float64Array, size: number, row: number, vector: Float64Array): number {
  let sum = 0;
  for (let column = 0; column < size; column++) sum += matrix[row * size + column]! * vector[column]!;
  return sum;
}
