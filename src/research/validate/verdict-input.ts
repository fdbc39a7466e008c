/** The verdict's input from the parts of a validation. Pure. */
import type { FillRecord } from '../../statistics/inputs.ts';
import { ratio, sumOf } from '../../statistics/numbers/moments.ts';
import type { Trade } from '../../statistics/trades.ts';
import type { MetricValues } from '../sweep/metrics.ts';
import type { SweepResult } from '../sweep/result.ts';
import type { LookAheadProof } from './look-ahead.ts';
import { isSkipped, type Period, type ValidationResult } from './result.ts';
import type { VerdictInput } from './verdict.ts';

export interface Parts extends Pick<
  ValidationResult,
  'base' | 'bestOfMany' | 'permutation' | 'walkForward' | 'overfitting' | 'stress'
> {
  readonly fills: readonly Pick<FillRecord, 'strategy' | 'tag' | 'orderRef'>[];
  /** Those of `fills`. */
  readonly trades: readonly Pick<Trade, 'quantity' | 'entryPrice' | 'unit'>[];
  readonly lookAhead: LookAheadProof;
  readonly research: Period;
  readonly lockbox: MetricValues | null;
  readonly openings: number;
  readonly seenBy: number;
  readonly found: SweepResult | null;
}

const DAY_MS = 86_400_000;

/** The chance that the best of so many independent tries is as good (Šidák): the shifts test the chosen trial alone. */
function ofTheBest(pValue: number, tries: number | null): number {
  return 1 - (1 - pValue) ** Math.max(1, tries ?? 1);
}

/** How many trades of equal size these are worth (Kish, 1965): (Σ w)²/Σ w² by notional; null without a known one. */
function effectiveTrades(trades: Parts['trades']): number | null {
  const notionals = trades.map(({ quantity, entryPrice, unit }) => quantity * entryPrice * unit);
  return ratio(sumOf(notionals) ** 2, sumOf(notionals.map((notional) => notional ** 2)));
}

function pboOf(overfitting: Parts['overfitting'], hasSearched: boolean): VerdictInput['pbo'] {
  if (!isSkipped(overfitting)) return overfitting.pbo;
  return hasSearched ? overfitting.skipped : null;
}

export function verdictInput(parts: Parts): VerdictInput {
  const { base, bestOfMany, permutation, walkForward, overfitting, stress, lookAhead, research, lockbox } = parts;
  const { metrics, dsr } = base;
  return {
    looksAhead: lookAhead.ok === false,
    notCovered: lookAhead.notCovered,
    failed: parts.found?.counts.failed ?? 0,
    tradingPnl: metrics['tradingPnl'] ?? null,
    trades: metrics['trades'] ?? 0,
    effectiveTrades: effectiveTrades(parts.trades),
    orders: new Set(parts.fills.map(({ strategy, tag, orderRef }) => `${strategy ?? tag}/${orderRef}`)).size,
    days: (research.to - research.from) / DAY_MS,
    dsr,
    tries: base.trialsOnData,
    ...(isSkipped(bestOfMany)
      ? { pValue: null, t: null, pUnknown: bestOfMany.skipped }
      : { pValue: bestOfMany.pValue, t: bestOfMany.t }),
    pbo: pboOf(overfitting, parts.found !== null),
    timing: isSkipped(permutation)
      ? permutation.skipped
      : { ...permutation, pValue: ofTheBest(permutation.pValue, base.effectiveTrials) },
    walkForward: isSkipped(walkForward) ? walkForward.skipped : walkForward,
    stress: {
      rows: stress.length,
      // A failed run counts as losing.
      losing: stress.filter((row) => !((row.metrics?.['tradingPnl'] ?? 0) > 0)).length,
      dead: stress.filter((row) => row.metrics === null).length,
    },
    lockbox: lockbox === null ? null : { tradingPnl: lockbox['tradingPnl'] ?? null },
    openings: parts.openings,
    lockboxSeenBy: parts.seenBy,
  };
}
