/**
 * Studentised maximum of many trials by the stationary bootstrap (Romano & Wolf 2005; docs/metrics.md, "Overfitting"):
 * t = √T·mean/std against the greatest t* = √T·(mean* − mean)/std* per draw, all trials sharing the draw's times.
 * Prefix sums make a draw cost a step a block.
 */
import { statisticsErrors } from '../errors.ts';
import type { Random } from '../../model/ports.ts';
import { momentsOf } from '../numbers/moments.ts';
import { normalQuantile } from '../numbers/normal.ts';
import { blockDraws, meanBlock, shortBlock, type BlockDraws } from './stationary-bootstrap.ts';

const DRAWS = 4_000;
const REALITY_CHECK_DRAWS = 1_000;
/** Smaller relative variance in a draw is rounding: the trial has no t there. */
const VARIANCE_MIN = 1e-10;

export interface BestOfMany {
  /** (1 + draws whose greatest t* reaches the greatest t) / (draws + 1). */
  readonly maxTPValue: number;
  /** Likewise for the judged trial's t. */
  readonly pValue: number;
  /** t of the judged trial, and the greatest. */
  readonly t: number;
  readonly maxT: number;
  /** White's reality check (2000): means instead of t, mean block √T, recentred. */
  readonly realityCheckPValue: number;
  /** Compared trials plus independent ones. */
  readonly trials: number;
  readonly elsewhere: number;
  readonly draws: number;
}

export interface BestOfManyOptions {
  /** Trials without comparable returns, each counted as independent and worthless. */
  readonly elsewhere?: number;
  readonly draws?: number;
}

/**
 * `rows`: returns per trial, of equal length, the judged one first; those without variance are left out.
 * @throws `statistics_input` for fewer than two periods, unequal rows, or a judged trial without variance.
 */
export function bestOfMany(
  rows: readonly Float64Array[],
  random: Random,
  { elsewhere = 0, draws = DRAWS }: BestOfManyOptions = {},
): BestOfMany {
  const periods = rows[0]?.length ?? 0;
  if (periods < 2 || rows.some((row) => row.length !== periods)) {
    throw statisticsErrors.make('statistics_input', `${periods} periods are too few, or rows differ in length`);
  }
  const moving = rows.map(scaledOf);
  const judged = moving[0];
  if (judged === undefined || judged === null) {
    throw statisticsErrors.make('statistics_input', 'its returns never differ');
  }
  const trials = moving.filter((trial) => trial !== null);
  const root = Math.sqrt(periods);
  const resamples = blockDraws(periods, draws, shortBlock(periods), random.fork('max t'));
  const greatest = greatestOf(trials, resamples, studentised);
  joinIndependent(greatest, elsewhere, random.fork('elsewhere'));
  const longer = blockDraws(periods, REALITY_CHECK_DRAWS, meanBlock(periods), random.fork('means'));
  const means = greatestOf(trials, longer, unscaled);
  const best = (pick: (trial: Scaled) => number): number =>
    trials.reduce((top, trial) => Math.max(top, pick(trial)), -Infinity);
  const t = root * judged.ratio;
  const maxT = root * best(({ ratio }) => ratio);
  return {
    maxTPValue: shareReaching(greatest, maxT),
    pValue: shareReaching(greatest, t),
    t,
    maxT,
    realityCheckPValue: shareReaching(means, root * best(({ ratio, std }) => ratio * std)),
    trials: trials.length,
    elsewhere,
    draws,
  };
}

/** Prefix sums of z = (r − mean)/std and of z², over the periods twice. */
interface Scaled {
  readonly std: number;
  readonly ratio: number;
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

function scaledOf(row: Float64Array): Scaled | null {
  const { mean, std } = momentsOf(row);
  if (mean === null || std === null || std === 0) return null;
  const periods = row.length;
  const sums = new Float64Array(2 * periods + 1);
  const squares = new Float64Array(2 * periods + 1);
  for (let at = 0; at < 2 * periods; at++) {
    const z = (row[at < periods ? at : at - periods]! - mean) / std;
    sums[at + 1] = sums[at]! + z;
    squares[at + 1] = squares[at]! + z * z;
  }
  return { std, ratio: mean / std, sums, squares };
}

/** `sum` is Σz and `square` Σz² of a draw. −Infinity when undefined. */
type DrawStatistic = (sum: number, square: number, periods: number, std: number) => number;

const studentised: DrawStatistic = (sum, square, periods) => {
  const variance = (square - (sum * sum) / periods) / (periods - 1);
  return variance > VARIANCE_MIN ? sum / Math.sqrt(periods * variance) : -Infinity;
};

const unscaled: DrawStatistic = (sum, _square, periods, std) => (sum / Math.sqrt(periods)) * std;

/** Greatest statistic of all trials per draw. */
function greatestOf(trials: readonly Scaled[], resamples: BlockDraws, statistic: DrawStatistic): Float64Array {
  const { draws, from, to, ends, periods } = resamples;
  const greatest = new Float64Array(draws).fill(-Infinity);
  for (const { std, sums, squares } of trials) {
    let block = 0;
    for (let draw = 0; draw < draws; draw++) {
      let sum = 0;
      let square = 0;
      for (const end = ends[draw]!; block < end; block++) {
        const [first, last] = [from[block]!, to[block]!];
        sum += sums[last]! - sums[first]!;
        square += squares[last]! - squares[first]!;
      }
      const value = statistic(sum, square, periods, std);
      if (value > greatest[draw]!) greatest[draw] = value;
    }
  }
  return greatest;
}

/** The greatest of n independent standard normals is Φ⁻¹(U^(1/n)). */
function joinIndependent(greatest: Float64Array, count: number, random: Random): void {
  if (count === 0) return;
  for (let draw = 0; draw < greatest.length; draw++) {
    const value = normalQuantile(Math.max(Number.MIN_VALUE, random.next()) ** (1 / count));
    if (value > greatest[draw]!) greatest[draw] = value;
  }
}

function shareReaching(values: Float64Array, bound: number): number {
  return (1 + values.reduce((count, value) => count + (value >= bound ? 1 : 0), 0)) / (values.length + 1);
}
