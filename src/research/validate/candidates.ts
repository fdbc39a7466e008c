/**
 * Among which trials a search chooses: those that ran over all of the research part and keep the constraints of the space. A
 * trial that breaks one is never chosen, neither by the search nor in a fold, a split or a resample; as a try it is counted
 * all the same (DSR, from the ledger). Whether one keeps them is judged on the whole part, as the search does. Pure.
 */
import type { Trial } from '../ledger/trial-ledger.ts';
import type { SweepTrial } from '../sweep/result.ts';

interface Chosen {
  /** Null where the strategy has none. */
  readonly runHash: string | null;
  readonly returns: Float64Array;
}

/** Returns of the chosen one first, then of the others. `onData`: every trial of the ledger on these data. */
export function candidateRows(
  chosen: Chosen,
  trials: readonly Pick<SweepTrial, 'state' | 'runHash' | 'feasible'>[],
  onData: readonly Pick<Trial, 'runHash' | 'returns'>[],
): readonly Float64Array[] {
  const byHash = new Map(onData.map(({ runHash, returns }) => [runHash, returns.values]));
  const kept = trials.filter(({ state, feasible }) => state === 'done' && feasible);
  // A run that was asked for again is the same trial.
  const others = [...new Set(kept.map(({ runHash }) => runHash))]
    .filter((runHash) => runHash !== chosen.runHash)
    .flatMap((runHash) => byHash.get(runHash ?? '') ?? [])
    .filter((row) => row.length === chosen.returns.length);
  return [chosen.returns, ...others];
}
