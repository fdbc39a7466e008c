/** Figures of limit checks as lines. Pure. */
import type { RiskFigure } from '../../model/trading/deny-reason.ts';

/** `deniedBy`: reason of a denial; null when all passed. */
export function riskLines(figures: readonly RiskFigure[] | undefined, deniedBy: string | null): readonly string[] {
  return (figures ?? []).map(([check, whose, value, limit]) => {
    const share = limit === 0 ? '' : ` (${((value / limit) * 100).toFixed(1)} %)`;
    const isOver = value > limit || (check === deniedBy && value >= limit);
    const verdict = isOver ? (check === deniedBy ? 'DENIED' : 'over') : 'passed';
    return `    ${verdict.padEnd(7)} ${check} of ${whose}: ${+value.toPrecision(10)} of ${+limit.toPrecision(10)}${share}`;
  });
}
