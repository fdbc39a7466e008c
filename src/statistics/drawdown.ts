/**
 * Drawdown on the full event curve, E_0 included. dd(t) = 1 − E(t)/peak(t), the peak being the highest equity so far.
 * The curve is a step function: a value weighs as long as it stood. A drawdown ends when the old peak is reached again.
 */
import type { Series } from './series.ts';

export interface Drawdown {
  /** Percent of the peak, positive. */
  readonly maxDrawdownPct: number | null;
  /** Longest time from a peak to the next new high, or to the end when there was none. */
  readonly maxDrawdownDurationMs: number | null;
  /** From the deepest point to the new high; null when it was not reached, or nothing was lost. */
  readonly recoveryMs: number | null;
  /** Percent of the time spent below a peak. */
  readonly underwaterPct: number | null;
  /** Root of the time-weighted mean of dd², a fraction. */
  readonly ulcer: number | null;
}

export const NO_DRAWDOWN: Drawdown = {
  maxDrawdownPct: null,
  maxDrawdownDurationMs: null,
  recoveryMs: null,
  underwaterPct: null,
  ulcer: null,
};

/** One pass. `to` ends the weight of the last point. All null when the curve does not start above zero. */
export function drawdownOf(curve: Series, to: number): Drawdown {
  const { ts, value, length } = curve;
  if (length === 0 || !(value[0]! > 0)) return NO_DRAWDOWN;
  let peak = value[0]!;
  let peakTs = ts[0]!;
  let under = false;
  let deepest = 0;
  let deepestTs = 0;
  let deepestOpen = false;
  let recovery: number | null = null;
  let longest = 0;
  let underMs = 0;
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const now = ts[i]!;
    if (value[i]! >= peak) {
      if (under) longest = Math.max(longest, now - peakTs);
      if (deepestOpen) recovery = now - deepestTs;
      peak = value[i]!;
      peakTs = now;
      under = false;
      deepestOpen = false;
      continue;
    }
    under = true;
    // More than all of it cannot be lost (rule A3).
    const depth = Math.min(1, 1 - value[i]! / peak);
    const weight = Math.max(0, (i + 1 < length ? ts[i + 1]! : to) - now);
    underMs += weight;
    squares += depth * depth * weight;
    if (depth > deepest) {
      deepest = depth;
      deepestTs = now;
      deepestOpen = true;
      recovery = null;
    }
  }
  if (under) longest = Math.max(longest, to - peakTs);
  const span = to - ts[0]!;
  return {
    maxDrawdownPct: deepest * 100,
    maxDrawdownDurationMs: longest,
    recoveryMs: recovery,
    underwaterPct: span > 0 ? (underMs / span) * 100 : null,
    ulcer: span > 0 ? Math.sqrt(squares / span) : null,
  };
}
