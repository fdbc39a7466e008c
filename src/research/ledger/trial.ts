/** A backtest as the trial ledger keeps it. */
import type { BacktestRun } from '../../session/backtest.ts';
import type { Trial } from './trial-ledger.ts';

/** `at`: Unix ms now. */
export function trialOf({ result, trial }: BacktestRun, command: string, at: number): Trial {
  const { strategy, runHash, params, seed, stats } = result;
  const { codeHash, dataHash, period, returns } = trial;
  if (runHash === null || seed === null) throw new RangeError('a run without a hash is no trial');
  return { runHash, at, command, strategy, codeHash, dataHash, period, seed, params, stats, returns };
}
