/** Intervals of injected faults, drawn lazily. A seed gives the same intervals whatever the queries. */
import type { Random } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';
import type { StressSchedule } from './options.ts';

/** [fromUs, toUs). */
interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
}

const NEVER: Stretch = { fromUs: Infinity, toUs: Infinity };

/** Times must not fall between calls. */
export type IsWithin = (us: number) => boolean;

export function stretches(schedule: StressSchedule, random: Random, startUs: number): IsWithin {
  if (Array.isArray(schedule) && schedule.length === 0) return () => false;
  const next = Array.isArray(schedule) ? listed(schedule, startUs) : drawn(schedule, random, startUs);
  let stretch = next();
  return (us) => {
    while (us >= stretch.toUs) stretch = next();
    return us >= stretch.fromUs;
  };
}

function listed(list: readonly { readonly atMs: number; readonly forMs: number }[], startUs: number): () => Stretch {
  const ordered = list
    .map(({ atMs, forMs }) => ({ fromUs: startUs + atMs * US_PER_MS, toUs: startUs + (atMs + forMs) * US_PER_MS }))
    .toSorted((left, right) => left.fromUs - right.fromUs || left.toUs - right.toUs);
  let index = 0;
  return () => ordered[index++] ?? NEVER;
}

/** Exponential waits and lengths, whole µs, at least 1. */
function drawn(
  { everyMs, forMs }: { readonly everyMs: number; readonly forMs: number },
  random: Random,
  startUs: number,
): () => Stretch {
  let us = startUs;
  const draw = (meanMs: number): number => Math.max(1, Math.round(-Math.log(1 - random.next()) * meanMs * US_PER_MS));
  return () => {
    const fromUs = us + draw(everyMs);
    us = fromUs + draw(forMs);
    return { fromUs, toUs: us };
  };
}
