/**
 * How long each command of a script is under way to the venue (T3), in the reference simulator. simulation.md names
 * lognormal latency with AR(1) bursts and says neither formula nor seed: the formula is that of docs/simulation.md, on
 * the seeded numbers of the model floor.
 */
import { normal, seededRandom } from '../../src/model/random.ts';
import type { Rules } from './rules.ts';

/** Draws one command after the other, µs. */
export function entryLatencies({ latency, entryUs }: Rules): () => number {
  if (latency.model === 'constant') return () => entryUs;
  const random = seededRandom(latency.seed).fork('latency entry');
  let x = normal(random);
  return () => {
    const drawn = Math.round(entryUs * Math.exp(latency.sigma * x));
    x = latency.correlation * x + Math.sqrt(1 - latency.correlation ** 2) * normal(random);
    return drawn;
  };
}
