/**
 * Tree-structured Parzen estimator (Bergstra et al. 2011): the draw with the greatest ratio of good to other density.
 * One objective; infeasible trials last.
 */
import { normalCdf } from '../../../statistics/numbers/normal.ts';
import { normal } from '../../../model/random.ts';
import type { Random } from '../../../model/ports.ts';
import { compareJudgements } from '../judgement.ts';
import type { Dimension, Space, UnitPoint } from '../space.ts';
import type { Evaluated, Sampler } from './sampler.ts';

const BATCH = 8;
/** Uniform draws before the first estimate. */
const START_UP = 16;
const CANDIDATES = 24;
const GOOD_MAX = 25;
const BANDWIDTH_MIN = 0.01;

export function tpeSampler(space: Space, random: Random): Sampler {
  const seen: Evaluated[] = [];
  const { dimensions } = space;
  return {
    batch: BATCH,
    ask: (count) =>
      Array.from({ length: count }, () =>
        seen.length < START_UP ? dimensions.map(() => random.next()) : propose(dimensions, seen, random),
      ),
    tell: (evaluated) => void seen.push(...evaluated),
  };
}

function propose(dimensions: readonly Dimension[], seen: readonly Evaluated[], random: Random): UnitPoint {
  const sorted = seen.toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
  const goods = Math.min(GOOD_MAX, Math.ceil(0.25 * Math.sqrt(seen.length)) + 2);
  return dimensions.map((dimension, at) => {
    const column = sorted.map(({ point }) => point[at]!);
    const good = densityOf(dimension, column.slice(0, goods));
    const others = densityOf(dimension, column.slice(goods));
    let best = good.draw(random);
    let greatest = Math.log(good.at(best)) - Math.log(others.at(best));
    for (let draw = 1; draw < CANDIDATES; draw++) {
      const candidate = good.draw(random);
      const value = Math.log(good.at(candidate)) - Math.log(others.at(candidate));
      if (value > greatest) [best, greatest] = [candidate, value];
    }
    return best;
  });
}

interface Density {
  readonly at: (unit: number) => number;
  readonly draw: (random: Random) => number;
}

function densityOf(dimension: Dimension, units: readonly number[]): Density {
  return dimension.isCategorical && dimension.levels !== null ? categorical(dimension.levels, units) : parzen(units);
}

/** Counts plus a prior weight of one. */
function categorical(levels: number, units: readonly number[]): Density {
  const weights = new Float64Array(levels).fill(1);
  const levelOf = (unit: number): number => Math.min(levels - 1, Math.floor(unit * levels));
  for (const unit of units) weights[levelOf(unit)]!++;
  const total = levels + units.length;
  return {
    at: (unit) => weights[levelOf(unit)]! / total,
    draw: (random) => {
      let rest = random.next() * total;
      let level = 0;
      while (level < levels - 1 && rest >= weights[level]!) rest -= weights[level++]!;
      return (level + random.next()) / levels;
    },
  };
}

/** Truncated Gaussians, one a point (width: distance to neighbours) and a wide prior. */
function parzen(units: readonly number[]): Density {
  const centres = [...units, 0.5].toSorted((a, b) => a - b);
  const prior = centres.indexOf(0.5);
  const widths = centres.map((centre, index) => {
    if (index === prior) return 1;
    const left = centre - (centres[index - 1] ?? 0);
    const right = (centres[index + 1] ?? 1) - centre;
    return Math.min(1, Math.max(left, right, BANDWIDTH_MIN, 1 / (1 + centres.length)));
  });
  const masses = centres.map((centre, index) => {
    const width = widths[index]!;
    return normalCdf((1 - centre) / width) - normalCdf(-centre / width);
  });
  return {
    at: (unit) => {
      let sum = 0;
      for (const [index, centre] of centres.entries()) {
        const z = (unit - centre) / widths[index]!;
        sum += Math.exp(-0.5 * z * z) / (Math.sqrt(2 * Math.PI) * widths[index]! * masses[index]!);
      }
      return sum / centres.length;
    },
    draw: (random) => {
      const index = Math.min(centres.length - 1, Math.floor(random.next() * centres.length));
      for (;;) {
        const unit = centres[index]! + widths[index]! * normal(random);
        if (unit >= 0 && unit < 1) return unit;
      }
    },
  };
}
