/**
 * Returns for comparing trials with one another: all runs over one period are sampled alike, at the longest of a few usual
 * steps that still gives enough of them, whatever the run itself was annualised by.
 */
import { sampleAtBoundaries, simpleReturns } from './returns.ts';
import type { Series } from './series.ts';

const STEPS_MS = [86_400_000, 3_600_000, 600_000, 60_000, 10_000, 1_000] as const;
/** Four periods in each of the sixteen blocks of the overfitting statistics. */
const PERIODS_MIN = 64;

export interface PeriodReturns {
  readonly sampleMs: number;
  /** Simple returns; zeros after an equity of zero or less, where a return means nothing. */
  readonly values: Float64Array;
}

/** The step for a period, ms. Below a minute of data it is a second, however few there are. */
export function gridStep(from: number, to: number): number {
  return STEPS_MS.find((step) => (to - from) / step >= PERIODS_MIN) ?? 1_000;
}

/** Of an equity curve over its period. */
export function periodReturns(
  equity: Series,
  { from, to }: { readonly from: number; readonly to: number },
): PeriodReturns {
  const sampleMs = gridStep(from, to);
  return { sampleMs, values: simpleOrLost(sampleAtBoundaries(equity, from, to, sampleMs)) };
}

/** Simple returns of samples; nothing more is earned once all is lost. */
function simpleOrLost(samples: Float64Array): Float64Array {
  return simpleReturns(samples) ?? untilLost(samples);
}

function untilLost(samples: Float64Array): Float64Array {
  return Float64Array.from({ length: samples.length - 1 }, (_, index) =>
    samples[index]! > 0 ? Math.max(-1, samples[index + 1]! / samples[index]! - 1) : 0,
  );
}
