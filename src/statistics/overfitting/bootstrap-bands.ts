/**
 * Bands of growth, drawdown and Sharpe ratio by the stationary bootstrap. Regimes absent from the history are not
 * covered.
 */
import type { Random } from '../../model/ports.ts';
import { periodSharpe } from '../ratios.ts';
import { quantileOfSorted, resample } from './stationary-bootstrap.ts';

const RESAMPLES = 1_000;
const FAN_POINTS_MAX = 200;

/** Quantiles 0.05, 0.25, 0.5, 0.75 and 0.95. */
export type Band = readonly [p5: number, p25: number, p50: number, p75: number, p95: number];

export interface BootstrapBands {
  /** Final growth of 1. */
  readonly growth: Band;
  /** Percent, positive. */
  readonly maxDrawdownPct: Band;
  /** Per period, not annualised. */
  readonly sharpe: Band;
  /** Share of resamples that lose. */
  readonly lossShare: number;
  /** Growth after `period` periods. */
  readonly fan: readonly { readonly period: number; readonly band: Band }[];
  readonly resamples: number;
}

/** `returns`: simple returns per period, at least one. */
export function bootstrapBands(returns: Float64Array, random: Random, resamples = RESAMPLES): BootstrapBands {
  const periods = returns.length;
  const stops = fanStops(periods);
  const growths = stops.map(() => new Float64Array(resamples));
  const drawdowns = new Float64Array(resamples);
  const sharpes = new Float64Array(resamples);
  const chosen = new Uint32Array(periods);
  for (let draw = 0; draw < resamples; draw++) {
    resample(chosen, random);
    let level = 1;
    let peak = 1;
    let deepest = 0;
    let stop = 0;
    for (let period = 0; period < periods; period++) {
      level *= 1 + returns[chosen[period]!]!;
      peak = Math.max(peak, level);
      deepest = Math.max(deepest, 1 - level / peak);
      if (period + 1 === stops[stop]) growths[stop++]![draw] = level;
    }
    drawdowns[draw] = deepest * 100;
    sharpes[draw] =
      periodSharpe(
        Float64Array.from(chosen, (at) => returns[at]!),
        0,
      ) ?? 0;
  }
  const last = growths.at(-1) ?? new Float64Array([1]);
  const lossShare = last.reduce((count, level) => count + (level < 1 ? 1 : 0), 0) / last.length;
  return {
    growth: bandOf(last),
    maxDrawdownPct: bandOf(drawdowns),
    sharpe: bandOf(sharpes),
    lossShare,
    fan: stops.map((period, index) => ({ period, band: bandOf(growths[index]!) })),
    resamples,
  };
}

/** Periods at which the fan is drawn, the last included. */
function fanStops(periods: number): readonly number[] {
  const count = Math.min(periods, FAN_POINTS_MAX);
  return Array.from({ length: count }, (_, index) => Math.round(((index + 1) * periods) / count));
}

function bandOf(values: Float64Array): Band {
  const sorted = values.toSorted();
  const at = (p: number): number => quantileOfSorted(sorted, p);
  return [at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)];
}
