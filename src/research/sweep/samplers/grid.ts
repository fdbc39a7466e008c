/** Every combination, last dimension fastest. Continuous dimensions need a step. */
import { researchErrors } from '../../errors.ts';
import type { Space, UnitPoint } from '../space.ts';
import type { Sampler } from './sampler.ts';

/** Rejects oversized spaces. */
const POINTS_MAX = 1_000_000;

export function gridSampler({ dimensions }: Space): Sampler & { readonly size: number } {
  const levels = dimensions.map(({ name, levels: count }) => {
    if (count !== null) return count;
    throw researchErrors.make('sweep_space', `${name} is continuous: a grid needs a step, or a list of values`, {
      name,
    });
  });
  const size = levels.reduce((product, count) => product * count, 1);
  if (size > POINTS_MAX) {
    throw researchErrors.make('sweep_space', `the grid has ${size} points; ${POINTS_MAX} are the most`, { size });
  }
  let next = 0;
  return {
    batch: Number.POSITIVE_INFINITY,
    size,
    ask: (count) => {
      const points: UnitPoint[] = [];
      for (; points.length < count && next < size; next++) {
        let rest = next;
        const point: number[] = [];
        for (let index = levels.length - 1; index >= 0; index--) {
          point[index] = dimensions[index]!.unitOf(rest % levels[index]!);
          rest = Math.floor(rest / levels[index]!);
        }
        points.push(point);
      }
      return points;
    },
    tell: () => {},
  };
}
