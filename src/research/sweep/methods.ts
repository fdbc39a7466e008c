/** Search methods by name. */
import type { Random } from '../../model/ports.ts';
import { researchErrors } from '../errors.ts';
import { cmaesSampler } from './samplers/cmaes.ts';
import { gridSampler } from './samplers/grid.ts';
import { nsga2Sampler } from './samplers/nsga2.ts';
import { randomSampler } from './samplers/random.ts';
import type { Sampler } from './samplers/sampler.ts';
import { sobolSampler } from './samplers/sobol.ts';
import { tpeSampler } from './samplers/tpe.ts';
import type { Space } from './space.ts';

interface MethodRow {
  readonly summary: string;
  /** Supports several objectives. */
  readonly isMulti: boolean;
  readonly make: (space: Space, random: Random) => Sampler;
}

export const methods = {
  grid: { summary: 'every combination', isMulti: true, make: (space) => gridSampler(space) },
  random: { summary: 'independent uniform points', isMulti: true, make: randomSampler },
  sobol: { summary: 'a sequence that fills the space evenly', isMulti: true, make: sobolSampler },
  tpe: { summary: 'tree-structured Parzen estimator, learns', isMulti: false, make: tpeSampler },
  cmaes: { summary: 'CMA-ES, learns; numbers only', isMulti: false, make: cmaesSampler },
  nsga2: { summary: 'NSGA-II, learns; several objectives', isMulti: true, make: nsga2Sampler },
} as const satisfies Readonly<Record<string, MethodRow>>;

export type Method = keyof typeof methods;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name);
}

/** @throws `sweep_space` when the method cannot search this space. */
export function samplerOf(method: Method, space: Space, random: Random): Sampler {
  const row: MethodRow = methods[method];
  if (space.objectives.length > 1 && !row.isMulti) {
    const message = `${method} takes one objective, the space has ${space.objectives.length}; use nsga2`;
    throw researchErrors.make('sweep_space', message, { method });
  }
  return row.make(space, random);
}
