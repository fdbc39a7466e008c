/**
 * Records a backtest in the trial ledger and fills in statistics that depend on the count. An unusable ledger does not
 * fail the run.
 */
import { messageOf } from '../../model/errors.ts';
import type { BacktestRun } from '../../session/backtest.ts';
import type { BacktestResult, CountedIn } from '../../session/result/result.ts';
import { sampleAtBoundaries, simpleReturns } from '../../statistics/returns.ts';
import { seriesOf } from '../../statistics/series.ts';
import type { KnownData, Part } from './same-data.ts';
import { deflate } from './deflate.ts';
import { trialOf } from './trial.ts';
import { TrialLedger } from './trial-ledger.ts';

/** `path`: the ledger; `at`: Unix ms now; `lockbox`: of later validations. */
export function counted(run: BacktestRun, path: string, at: number, lockbox: Part): BacktestResult {
  try {
    const ledger = new TrialLedger(path);
    try {
      const { dataHash, dataParts } = run.trial;
      const data = { hash: dataHash, parts: dataParts() };
      ledger.know(data);
      ledger.record(trialOf(run, 'backtest', at));
      const seen = { isSeen: run.trial.period.to > lockbox.from, seenBy: ledger.seenIn(data, lockbox) };
      return { ...deflated(run, ledger, data, { file: path, at }), lockbox: { ...lockbox, ...seen } };
    } finally {
      ledger.close();
    }
  } catch (thrown) {
    const { result } = run;
    return { ...result, warnings: [...result.warnings, `this run is not counted as a trial: ${messageOf(thrown)}`] };
  }
}

/** Null for runs too short to annualise (docs/metrics.md). */
function deflated(
  { result, trial }: BacktestRun,
  ledger: TrialLedger,
  data: KnownData,
  counting: Omit<CountedIn, 'trials'>,
): BacktestResult {
  const { annualised, sampleMs } = result.conventions;
  const { from, to } = result.period;
  const sampled = simpleReturns(sampleAtBoundaries(seriesOf(result.equity), from, to, sampleMs)) ?? new Float64Array();
  const onData = ledger.onData(data);
  const { trials, effectiveTrials, dsr, minBacktestYears } = deflate(trial.returns, trial.period, onData, {
    values: sampled,
    sampleMs,
  });
  const known = annualised ? { dsr, minBacktestYears } : {};
  return { ...result, stats: { ...result.stats, effectiveTrials, ...known }, ledger: { ...counting, trials } };
}
