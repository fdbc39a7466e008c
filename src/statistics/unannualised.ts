/** Why a run has no Sharpe ratio (docs/metrics.md), in words. */
import type { StatsConventions } from './stats.ts';

/** `conventions`: undefined in older results. */
export function whyNoSharpe(
  conventions: Pick<StatsConventions, 'annualised' | 'samples'> | undefined,
  fills: number,
): string {
  if (fills === 0) return 'it did not trade';
  if (conventions?.annualised === true) return 'no variance in the returns';
  if (conventions?.samples === 0) return 'equity was zero or less';
  return 'too little data to annualise: it needs 7 days and 10 returns';
}
