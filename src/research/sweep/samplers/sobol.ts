/** Sobol's sequence (Joe and Kuo 2008, `new-joe-kuo-6`) with a random digital shift, in Gray code order. */
import type { Random } from '../../../model/ports.ts';
import { researchErrors } from '../../errors.ts';
import type { Space } from '../space.ts';
import type { Sampler } from './sampler.ts';

const BITS = 32;

/** Primitive polynomial (degree, inner coefficients) and first direction numbers, from the second dimension. */
const JOE_KUO: readonly (readonly [degree: number, coefficients: number, ...m: number[]])[] = [
  [1, 0, 1],
  [2, 1, 1, 3],
  [3, 1, 1, 3, 1],
  [3, 2, 1, 1, 1],
  [4, 1, 1, 1, 3, 3],
  [4, 4, 1, 3, 5, 13],
  [5, 2, 1, 1, 5, 5, 17],
  [5, 4, 1, 1, 5, 5, 5],
  [5, 7, 1, 1, 7, 11, 19],
  [5, 11, 1, 1, 5, 1, 1],
  [5, 13, 1, 1, 1, 3, 11],
  [5, 14, 1, 3, 5, 5, 31],
  [6, 1, 1, 3, 3, 9, 7, 49],
  [6, 13, 1, 1, 1, 15, 21, 21],
  [6, 16, 1, 3, 1, 13, 27, 49],
  [6, 19, 1, 1, 1, 15, 7, 5],
  [6, 22, 1, 3, 1, 15, 13, 25],
  [6, 25, 1, 1, 5, 5, 19, 61],
  [7, 1, 1, 3, 7, 11, 23, 15, 103],
  [7, 4, 1, 3, 7, 13, 13, 15, 69],
];

export const SOBOL_DIMENSIONS_MAX = JOE_KUO.length + 1;

/** Unshifted points as 32-bit fractions. */
export class SobolSequence {
  readonly #directions: readonly Uint32Array[];
  readonly #state: Uint32Array;
  #index = 0;

  constructor(dimensions: number) {
    this.#directions = Array.from({ length: dimensions }, (_, index) => directionNumbers(index));
    this.#state = new Uint32Array(dimensions);
  }

  /** The first is the origin. The array is reused. */
  next(): Uint32Array {
    if (this.#index > 0) {
      const bit = 31 - Math.clz32(this.#index & -this.#index);
      for (let at = 0; at < this.#state.length; at++) this.#state[at]! ^= this.#directions[at]![bit]!;
    }
    this.#index++;
    return this.#state;
  }
}

export function sobolSampler({ dimensions }: Space, random: Random): Sampler {
  if (dimensions.length > SOBOL_DIMENSIONS_MAX) {
    const message = `sobol takes ${SOBOL_DIMENSIONS_MAX} parameters at most, the space has ${dimensions.length}`;
    throw researchErrors.make('sweep_space', message, { dimensions: dimensions.length });
  }
  const sequence = new SobolSequence(dimensions.length);
  const shift = dimensions.map(() => Math.floor(random.next() * 2 ** BITS));
  return {
    batch: Number.POSITIVE_INFINITY,
    ask: (count) =>
      Array.from({ length: count }, () =>
        Array.from(sequence.next(), (value, at) => ((value ^ shift[at]!) >>> 0) / 2 ** BITS),
      ),
    tell: () => {},
  };
}

function directionNumbers(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  const row = JOE_KUO[dimension - 1];
  if (row === undefined) {
    for (let bit = 0; bit < BITS; bit++) numbers[bit] = 1 << (BITS - 1 - bit);
    return numbers;
  }
  const [degree, coefficients, ...m] = row;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      numbers[bit] = m[bit]! << (BITS - 1 - bit);
      continue;
    }
    let value = numbers[bit - degree]! ^ (numbers[bit - degree]! >>> degree);
    for (let k = 1; k < degree; k++) if ((coefficients >> (degree - 1 - k)) & 1) value ^= numbers[bit - k]!;
    numbers[bit] = value;
  }
  return numbers;
}
