/**
 * A finished backtest with its place among all tries on the same data: written into the trial ledger, and the statistics
 * that depend on the count filled in. A ledger that cannot be used does not spoil the run: it says that it is not counted.
 */
import { messageOf } from '../../model/errors.ts';
import type { BacktestRun } from '../../session/backtest.ts';
import type { BacktestResult, CountedIn } from '../../session/result.ts';
import { sampleAtBoundaries, simpleReturns } from '../../statistics/returns.ts';
import { seriesOf } from '../../statistics/series.ts';
import { deflate, estimateOf } from './deflate.ts';
import { trialOf } from './trial.ts';
import { TrialLedger } from './trial-ledger.ts';

/** `path`: the ledger; `at`: Unix ms now. */
export function counted(run: BacktestRun, path: string, at: number): BacktestResult {
  try {
    const ledger = new TrialLedger(path);
    try {
      ledger.record(trialOf(run, 'backtest', at));
      return deflated(run, ledger, { file: path, at });
    } finally {
      ledger.close();
    }
  } catch (thrown) {
    const { result } = run;
    return { ...result, warnings: [...result.warnings, `this run is not counted as a trial: ${messageOf(thrown)}`] };
  }
}

/**
 * The Sharpe ratio of the result, as its `psr` takes it, against the best of so many tries. Below the length that is
 * annualised, nothing is said about it (metrics.md).
 */
function deflated(
  { result, trial }: BacktestRun,
  ledger: TrialLedger,
  counting: Omit<CountedIn, 'trials'>,
): BacktestResult {
  const { annualised, sampleMs } = result.conventions;
  const { from, to } = result.period;
  const sampled = simpleReturns(sampleAtBoundaries(seriesOf(result.equity), from, to, sampleMs));
  const own = { estimate: sampled === null ? null : estimateOf(sampled), sampleMs };
  const onData = ledger.onData(trial.dataHash);
  const { trials, effectiveTrials, dsr, minBacktestYears } = deflate(trial.returns, result.period, onData, own);
  const known = annualised ? { dsr, minBacktestYears } : {};
  return { ...result, stats: { ...result.stats, effectiveTrials, ...known }, ledger: { ...counting, trials } };
}
