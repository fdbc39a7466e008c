/**
 * Could the same positions have earned as much without knowing the market? Market returns are cut into blocks and the
 * blocks are put into other orders while the positions stay; the share of orders that earn as much is the p-value. Costs
 * are the same in every order and drop out. Blocks keep the short dependence of the market. Pure; chance comes in.
 */
import { statisticsErrors } from '../errors.ts';
import type { Random } from '../../model/ports.ts';
import { meanBlock } from './stationary-bootstrap.ts';

const PERMUTATIONS = 1_000;

export interface PermutationReport {
  /** (orders that earn at least as much + 1) / (orders + 1): never zero, as the given order is one of them. */
  readonly pValue: number;
  readonly observed: number;
  /** Mean of the other orders. */
  readonly expected: number;
  readonly permutations: number;
  readonly block: number;
}

/**
 * `positions[t]` is held while the market returns `market[t]`; same length, two blocks at least.
 * @throws `statistics_input` for less.
 */
export function blockPermutation(
  positions: Float64Array,
  market: Float64Array,
  random: Random,
  permutations = PERMUTATIONS,
): PermutationReport {
  const periods = positions.length;
  const block = Math.ceil(meanBlock(periods));
  if (market.length !== periods || periods < 2 * block) {
    throw statisticsErrors.make('statistics_input', `${periods} positions and ${market.length} returns: too few`);
  }
  const starts = Array.from({ length: Math.ceil(periods / block) }, (_, index) => index * block);
  const observed = earned(positions, market, starts, block);
  let asGood = 0;
  let sum = 0;
  for (let draw = 0; draw < permutations; draw++) {
    shuffle(starts, random);
    const value = earned(positions, market, starts, block);
    sum += value;
    if (value >= observed) asGood++;
  }
  return {
    pValue: (asGood + 1) / (permutations + 1),
    observed,
    expected: sum / permutations,
    permutations,
    block,
  };
}

/** Σ position · return with the market's blocks in the order of `starts`. */
function earned(positions: Float64Array, market: Float64Array, starts: readonly number[], block: number): number {
  let sum = 0;
  let at = 0;
  for (const start of starts) {
    const end = Math.min(start + block, market.length);
    for (let t = start; t < end; t++) sum += positions[at++]! * market[t]!;
  }
  return sum;
}

/** Fisher and Yates. */
function shuffle(values: number[], random: Random): void {
  for (let index = values.length - 1; index > 0; index--) {
    const other = Math.floor(random.next() * (index + 1));
    [values[index], values[other]] = [values[other]!, values[index]!];
  }
}
