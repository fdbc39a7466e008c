/** Injected faults of one run, venue clock. Each kind has its own random stream. */
import type { Random } from '../../model/ports.ts';
import { feeRates } from '../../clearing/fees.ts';
import type { LatencyModel } from '../venue/latency.ts';
import type { SimulationOptions } from '../options.ts';
import { ChangingFees } from './changing-fees.ts';
import type { StressOptions } from './options.ts';
import { stretches, type IsWithin } from './stretches.ts';

export interface Stress {
  readonly isDown: IsWithin;
  slowed(model: LatencyModel): LatencyModel;
  fees(first: SimulationOptions['fees']): ChangingFees;
}

/** `startUs`: exchange time from which the options count. */
export function createStress(options: StressOptions, random: Random, startUs: number): Stress {
  const { outages, bursts, burstFactor, fees } = options;
  return {
    isDown: stretches(outages, random.fork('outages'), startUs),
    slowed: (model) => {
      if (Array.isArray(bursts) && bursts.length === 0) return model;
      // Times rise only within a direction.
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
