/** Independent uniform points. */
import type { Random } from '../../../model/ports.ts';
import type { Space } from '../space.ts';
import type { Sampler } from './sampler.ts';

export function randomSampler({ dimensions }: Space, random: Random): Sampler {
  return {
    batch: Number.POSITIVE_INFINITY,
    ask: (count) => Array.from({ length: count }, () => dimensions.map(() => random.next())),
    tell: () => {},
  };
}
