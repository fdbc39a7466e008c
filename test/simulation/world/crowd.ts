/**
 * Worlds in which rare things meet: each brings, whatever its seed draws, some kinds of the menu that happen now and then or
 * in few seeds (not those of single requests and frames), and more of them trade a perpetual than seeds do by themselves. What
 * takes two or three rare things at once shows here tens of times as often.
 */
import { seededRandom } from '../../../src/model/random.ts';
import { faultKinds, faultRows, type FaultKind } from './fault-plan.ts';

export interface CrowdedWorld {
  readonly also: ReadonlySet<FaultKind>;
  readonly futures: boolean;
  readonly ruins: boolean;
}

const FUTURES_SHARE = 0.6;
/** Of those. */
const RUIN_SHARE = 0.15;

/** Kinds that a crowd is drawn from. */
export const crowdKinds: readonly FaultKind[] = faultKinds.filter((kind) => {
  const { per } = faultRows[kind];
  return per === 'second' || per === 'start' || 'seldom' in faultRows[kind];
});

/** `size`: kinds, at most as many as there are; 0: what the seed draws by itself. The same for the same seed and size. */
export function crowdOf(seed: number, size: number): CrowdedWorld | Record<string, never> {
  if (size === 0) return {};
  const random = seededRandom(seed).fork('crowd');
  const left = [...crowdKinds];
  const also = new Set<FaultKind>();
  while (also.size < size && left.length > 0)
    for (const kind of left.splice(Math.floor(random.next() * left.length), 1)) also.add(kind);
  const futures = random.next() < FUTURES_SHARE;
  return { also, futures, ruins: futures && random.next() < RUIN_SHARE };
}
