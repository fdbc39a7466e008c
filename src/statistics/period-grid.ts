/** Comparable returns: the longest usual step with enough periods. */
import { sampleAtBoundaries, simpleReturns } from './returns.ts';
import type { Series } from './series.ts';

const STEPS_MS = [86_400_000, 3_600_000, 600_000, 60_000, 10_000, 1_000] as const;
/** Four per block of the sixteen in the overfitting statistics. */
const PERIODS_MIN = 64;

export interface PeriodReturns {
  readonly sampleMs: number;
  /** Simple returns; zeros after an equity of zero or less. */
  readonly values: Float64Array;
}

/** The step in ms; one second for short data. */
export function gridStep(from: number, to: number): number {
  return STEPS_MS.find((step) => (to - from) / step >= PERIODS_MIN) ?? 1_000;
}

export function periodReturns(
  equity: Series,
  { from, to }: { readonly from: number; readonly to: number },
): PeriodReturns {
  const sampleMs = gridStep(from, to);
  return { sampleMs, values: simpleOrLost(sampleAtBoundaries(equity, from, to, sampleMs)) };
}

/** Zeros once all is lost. */
function simpleOrLost(samples: Float64Array): Float64Array {
  return simpleReturns(samples) ?? untilLost(samples);
}

function untilLost(samples: Float64Array): Float64Array {
  return Float64Array.from({ length: samples.length - 1 }, (_, index) =>
    samples[index]! > 0 ? Math.max(-1, samples[index + 1]! / samples[index]! - 1) : 0,
  );
}
