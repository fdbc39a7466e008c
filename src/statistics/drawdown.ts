/** Drawdown of the event curve: 1 − E(t)/peak(t), time-weighted, ending at the old peak. */
import type { Series } from './series.ts';

export interface Drawdown {
  /** Percent of the peak, positive. */
  readonly maxDrawdownPct: number | null;
  /** From a peak to the next new high, or to the end. */
  readonly maxDrawdownDurationMs: number | null;
  /** Deepest point to new high; null when not reached, or nothing was lost. */
  readonly recoveryMs: number | null;
  /** Percent of the time below a peak. */
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

/** `to` ends the last point's weight. All null unless the curve starts above zero. */
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
    // At most everything can be lost.
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
