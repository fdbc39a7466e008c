/**
 * What is injected into one run, on the venue's clock. The venue asks; what is not configured costs nothing. Each kind has
 * a random stream of its own, so that one does not move the others.
 */
import type { Random } from '../../model/ports.ts';
import { feeRates } from '../../clearing/fees.ts';
import type { LatencyModel } from '../latency.ts';
import type { SimulationOptions } from '../options.ts';
import { ChangingFees } from './changing-fees.ts';
import type { StressOptions } from './options.ts';
import { stretches, type IsWithin } from './stretches.ts';

export interface Stress {
  /** Whether the venue refuses commands that arrive then. */
  readonly isDown: IsWithin;
  /** The model with its bursts. */
  slowed(model: LatencyModel): LatencyModel;
  fees(first: SimulationOptions['fees']): ChangingFees;
}

/** `startUs`: exchange time from which the times of the options count. */
export function createStress(options: StressOptions, random: Random, startUs: number): Stress {
  const { outages, bursts, burstFactor, fees } = options;
  return {
    isDown: stretches(outages, random.fork('outages'), startUs),
    slowed: (model) => {
      if (Array.isArray(bursts) && bursts.length === 0) return model;
      // Both ways ask at times of their own, which never fall within a way.
      const entry = stretches(bursts, random.fork('bursts'), startUs);
      const response = stretches(bursts, random.fork('bursts'), startUs);
      return {
        entryUs: (us) => model.entryUs(us) * (entry(us) ? burstFactor : 1),
        responseUs: (us) => model.responseUs(us) * (response(us) ? burstFactor : 1),
        observe: (us) => model.observe?.(us),
      };
    },
    fees: (first) => new ChangingFees(feeRates(first), fees, startUs),
  };
}
