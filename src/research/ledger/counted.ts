/**
 * A finished backtest with its place among all tries on the same data: written into the trial ledger, and the statistics
 * that depend on the count filled in. A ledger that cannot be used does not spoil the run: it says that it is not counted.
 */
import { messageOf } from '../../model/errors.ts';
import type { BacktestRun } from '../../session/backtest.ts';
import type { BacktestResult } from '../../session/result.ts';
import { deflate } from './deflate.ts';
import { trialOf } from './trial.ts';
import { TrialLedger } from './trial-ledger.ts';

/** `path`: the ledger; `at`: Unix ms now. */
export function counted(run: BacktestRun, path: string, at: number): BacktestResult {
  try {
    const ledger = new TrialLedger(path);
    try {
      ledger.record(trialOf(run, 'backtest', at));
      return deflated(run, ledger);
    } finally {
      ledger.close();
    }
  } catch (thrown) {
    const { result } = run;
    return { ...result, warnings: [...result.warnings, `this run is not counted as a trial: ${messageOf(thrown)}`] };
  }
}

/** Below the length that is annualised, nothing is said about the Sharpe ratio either (metrics.md). */
function deflated({ result, trial }: BacktestRun, ledger: TrialLedger): BacktestResult {
  const { effectiveTrials, dsr, minBacktestYears } = deflate(
    trial.returns,
    result.period,
    ledger.onData(trial.dataHash),
  );
  const { annualised } = result.conventions;
  const known = annualised ? { dsr, minBacktestYears } : {};
  return { ...result, stats: { ...result.stats, effectiveTrials, ...known } };
}
