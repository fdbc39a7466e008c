/** From the parts of a validation to what the verdict looks at. Pure. */
import type { FillRecord } from '../../statistics/inputs.ts';
import type { MetricValues } from '../sweep/metrics.ts';
import type { SweepResult } from '../sweep/result.ts';
import type { LookAheadProof } from './look-ahead.ts';
import { isSkipped, type Period, type ValidationResult } from './result.ts';
import type { VerdictInput } from './verdict.ts';

export interface Parts extends Pick<
  ValidationResult,
  'permutation' | 'walkForward' | 'overfitting' | 'superiorAbility' | 'stress'
> {
  readonly evidence: ValidationResult['base'];
  readonly fills: readonly Pick<FillRecord, 'tag' | 'orderRef'>[];
  readonly lookAhead: LookAheadProof;
  readonly research: Period;
  readonly lockbox: MetricValues | null;
  readonly openings: number;
  readonly seenBy: number;
  readonly found: SweepResult | null;
}

const DAY_MS = 86_400_000;

export function verdictInput(parts: Parts): VerdictInput {
  const { evidence, permutation, walkForward, overfitting, superiorAbility, stress, lookAhead, research, lockbox } =
    parts;
  const { metrics, dsr } = evidence;
  return {
    looksAhead: lookAhead.ok === false,
    notCovered: lookAhead.notCovered,
    failed: parts.found?.counts.failed ?? 0,
    tradingPnl: metrics['tradingPnl'] ?? null,
    trades: metrics['trades'] ?? 0,
    orders: new Set(parts.fills.map(({ tag, orderRef }) => `${tag}/${orderRef}`)).size,
    days: (research.to - research.from) / DAY_MS,
    dsr,
    ...(dsr === null ? { dsrUnknown: unknownOf(evidence) } : {}),
    pbo: isSkipped(overfitting) ? null : overfitting.pbo,
    spaPValue: isSkipped(superiorAbility) ? null : superiorAbility.spaPValue,
    permutationPValue: isSkipped(permutation) ? null : permutation.pValue,
    walkForward: isSkipped(walkForward) ? null : walkForward,
    stress: {
      rows: stress.length,
      // One whose run died has not earned either.
      losing: stress.filter((row) => !((row.metrics?.['tradingPnl'] ?? 0) > 0)).length,
      dead: stress.filter((row) => row.metrics === null).length,
    },
    lockbox: lockbox === null ? null : { tradingPnl: lockbox['tradingPnl'] ?? null, openings: parts.openings },
    lockboxSeenBy: parts.seenBy,
  };
}

function unknownOf({ psr, trialsOnData }: ValidationResult['base']): string {
  return psr === null
    ? 'too few returns, or none that differ'
    : `none of the other ${trialsOnData - 1} trials on these data is long enough to tell how far luck reaches`;
}
