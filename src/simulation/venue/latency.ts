/** Latency models, integer µs. `InOrder` keeps the order of one connection. */
import type { Random } from '../../model/ports.ts';
import { normal } from '../../model/random.ts';
import { US_PER_MS, usOf } from '../../model/time.ts';
import { simulationErrors } from '../errors.ts';
import type { LatencyOptions, LatencyPair } from '../options.ts';

export interface LatencyModel {
  /** To the venue. */
  entryUs(us: number): number;
  /** Back. */
  responseUs(us: number): number;
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

/** median × e^(σx); x: stationary AR(1) process of unit variance. */
function bursty(medianUs: number, sigma: number, correlation: number, random: Random): () => number {
  const noise = Math.sqrt(1 - correlation * correlation);
  let level = normal(random);
  return () => {
    const drawn = Math.round(medianUs * Math.exp(sigma * level));
    level = correlation * level + noise * normal(random);
    return drawn;
  };
}

/** Linear between measured requests. Times outside the session wrap around; between last and first the last applies. */
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

/** Last index with time ≤ `us`, else 0. */
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

/** Configured values before the first market event. */
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
