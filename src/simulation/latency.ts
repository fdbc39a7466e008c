/**
 * Latency models (rule T3): how long a command takes to the venue and its answer back. Integer µs. Orders of one
 * connection never overtake; that is held by `InOrder`, not by the models.
 */
import type { Random } from '../model/ports.ts';
import { normal } from '../model/random.ts';
import { US_PER_MS, usOf } from '../model/time.ts';
import { simulationErrors } from './errors.ts';
import type { LatencyOptions, LatencyPair } from './options.ts';

export interface LatencyModel {
  /** The way to the venue of a command that leaves at `us`. */
  entryUs(us: number): number;
  /** The way back of what the venue says at `us`. */
  responseUs(us: number): number;
  /** A market event took `feedUs` to us. Models that do not listen leave it out. */
  observe?(feedUs: number): void;
}

/** Throws `latency_unmeasured` for `measured` without pairs. */
export function createLatency(options: LatencyOptions, random: Random): LatencyModel {
  const entryUs = Math.round(options.entryMs * US_PER_MS);
  const responseUs = Math.round(options.responseMs * US_PER_MS);
  switch (options.model) {
    case 'constant':
      return { entryUs: () => entryUs, responseUs: () => responseUs };
    case 'lognormal': {
      const { sigma, correlation } = options;
      return {
        entryUs: bursty(entryUs, sigma, correlation, random.fork('latency entry')),
        responseUs: bursty(responseUs, sigma, correlation, random.fork('latency response')),
      };
    }
    case 'measured':
      return measured(options.pairs ?? []);
    case 'feed':
      return multipleOfFeed(options.feedFactor, entryUs, responseUs);
  }
}

/** median × e^(σx), where x is a stationary AR(1) process of unit variance: a slow draw is followed by slow ones. */
function bursty(medianUs: number, sigma: number, correlation: number, random: Random): () => number {
  const noise = Math.sqrt(1 - correlation * correlation);
  let level = normal(random);
  return () => {
    const drawn = Math.round(medianUs * Math.exp(sigma * level));
    level = correlation * level + noise * normal(random);
    return drawn;
  };
}

/**
 * Between two requests of the session, both ways lie on the line between what those two took. Times outside of the session
 * fall into it again and again, as if it repeated; between its last request and its first one the last one holds.
 */
function measured(pairs: readonly LatencyPair[]): LatencyModel {
  const [first] = pairs;
  const last = pairs.at(-1);
  if (first === undefined || last === undefined) {
    throw simulationErrors.make('latency_unmeasured', 'the latency model `measured` has no pair of request and answer');
  }
  const times = pairs.map(({ ts }) => usOf(ts));
  if (times.some((us, index) => us < (times[index - 1] ?? us))) {
    throw simulationErrors.make('latency_unmeasured', 'the measured pairs are not in the order of their times');
  }
  const lengthUs = Math.max(1, usOf(last.ts) - usOf(first.ts) + 1);
  const startUs = usOf(first.ts);
  const at = (us: number, way: 'entryMs' | 'responseMs'): number => {
    const within = startUs + ((((us - startUs) % lengthUs) + lengthUs) % lengthUs);
    const index = lastAtOrBefore(times, within);
    const from = pairs[index] ?? first;
    const to = pairs[index + 1] ?? from;
    const spanUs = usOf(to.ts) - usOf(from.ts);
    const share = spanUs === 0 ? 0 : (within - usOf(from.ts)) / spanUs;
    return Math.round((from[way] + share * (to[way] - from[way])) * US_PER_MS);
  };
  return { entryUs: (us) => at(us, 'entryMs'), responseUs: (us) => at(us, 'responseMs') };
}

/** Index of the last time that is not later; 0 when all are. `times` ascend. */
function lastAtOrBefore(times: readonly number[], us: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (times[middle]! <= us) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Before the first market event: the given values. */
function multipleOfFeed(factor: number, entryUs: number, responseUs: number): LatencyModel {
  let feedUs = Number.NaN;
  const ofFeed = (before: number): number => (Number.isNaN(feedUs) ? before : Math.round(factor * feedUs));
  return {
    entryUs: () => ofFeed(entryUs),
    responseUs: () => ofFeed(responseUs),
    observe: (us) => {
      feedUs = Math.max(0, us);
    },
  };
}

/** Arrivals of one connection: max(draw, last arrival). */
export class InOrder {
  #lastUs = Number.NEGATIVE_INFINITY;

  arrival(us: number): number {
    if (us > this.#lastUs) this.#lastUs = us;
    return this.#lastUs;
  }
}
