/** How much of the best of many trials is luck, from the returns that the ledger holds of all of them. Pure. */
import { backtestOverfitting } from '../../statistics/overfitting/backtest-overfitting.ts';
import { deflate } from '../ledger/deflate.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { SearchLuck } from './result.ts';

const BLOCKS = 16;
/** PBO takes the trials that were best, and as many; 12,870 splits of each cost. */
const OVERFITTING_TRIALS_MAX = 512;

/**
 * `best`: hash of the chosen trial; `own`: hashes of the trials of this search among which it was chosen, since they ran on
 * all of the data and keep the constraints, best first, one that was asked for again as often; `onData`: every trial on
 * these data.
 */
export function luckOf(best: string | null, own: readonly string[], onData: readonly Trial[]): SearchLuck {
  const byHash = new Map(onData.map((trial) => [trial.runHash, trial]));
  const chosen = best === null ? undefined : byHash.get(best);
  if (chosen === undefined) {
    const nothing = { effectiveTrials: null, dsr: null, minBacktestYears: null, pbo: null, periods: 0, sampleMs: null };
    return { trialsOnData: onData.length, ...nothing };
  }
  const { values, sampleMs } = chosen.returns;
  const { effectiveTrials, dsr, minBacktestYears } = deflate(chosen.returns, chosen.period, onData);
  const rows = [...new Set(own)]
    .slice(0, OVERFITTING_TRIALS_MAX)
    .flatMap((hash) => byHash.get(hash)?.returns.values ?? [])
    .filter((row) => row.length === values.length);
  const canSplit = rows.length >= 2 && values.length >= 2 * BLOCKS;
  return {
    trialsOnData: onData.length,
    effectiveTrials,
    dsr,
    minBacktestYears,
    pbo: canSplit ? backtestOverfitting(rows, BLOCKS).pbo : null,
    periods: values.length,
    sampleMs,
  };
}
