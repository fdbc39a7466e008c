/** How much of the best trial is luck, from the ledger's returns. Pure. */
import { backtestOverfitting } from '../../statistics/overfitting/backtest-overfitting.ts';
import { deflate } from '../ledger/deflate.ts';
import type { Trial } from '../ledger/trial-ledger.ts';
import type { SearchLuck } from './result.ts';

const BLOCKS = 16;
/** Bounds the cost of 12,870 PBO splits: the best trials. */
const OVERFITTING_TRIALS_MAX = 512;

/**
 * `best`: the chosen trial; `own`: this search's complete feasible trials, best first, with repeats; `onData`: every
 * trial on these data.
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
