/**
 * Latency models (rule T3): how long a command takes to the venue and its answer back. Integer µs. Orders of one
 * connection never overtake; that is held by `InOrder`, not by the models.
 */
import type { Random } from '../model/ports.ts';
import { normal } from '../model/random.ts';
import { US_PER_MS } from '../model/time.ts';
import type { LatencyOptions } from './options.ts';

export interface LatencyModel {
  /** Draws the way to the venue. */
  entryUs(): number;
  /** Draws the way back. */
  responseUs(): number;
}

export function createLatency(options: LatencyOptions, random: Random): LatencyModel {
  const entryUs = Math.round(options.entryMs * US_PER_MS);
  const responseUs = Math.round(options.responseMs * US_PER_MS);
  if (options.model === 'constant') return { entryUs: () => entryUs, responseUs: () => responseUs };
  const { sigma, correlation } = options;
  return {
    entryUs: bursty(entryUs, sigma, correlation, random.fork('latency entry')),
    responseUs: bursty(responseUs, sigma, correlation, random.fork('latency response')),
  };
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

/** Arrivals of one connection: max(draw, last arrival). */
export class InOrder {
  #lastUs = Number.NEGATIVE_INFINITY;

  arrival(us: number): number {
    if (us > this.#lastUs) this.#lastUs = us;
    return this.#lastUs;
  }
}
