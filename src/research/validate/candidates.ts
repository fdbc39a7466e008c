/** Trials a search may choose: complete and feasible on the whole research part. Others still count as tries (DSR). */
import type { Trial } from '../ledger/trial-ledger.ts';
import type { SweepTrial } from '../sweep/result.ts';

interface Chosen {
  /** Null where the strategy has none. */
  readonly runHash: string | null;
  readonly returns: Float64Array;
}

/** The chosen one first. `onData`: every ledger trial on these data. */
export function candidateRows(
  chosen: Chosen,
  trials: readonly Pick<SweepTrial, 'state' | 'runHash' | 'feasible'>[],
  onData: readonly Pick<Trial, 'runHash' | 'returns'>[],
): readonly Float64Array[] {
  const byHash = new Map(onData.map(({ runHash, returns }) => [runHash, returns.values]));
  const kept = trials.filter(({ state, feasible }) => state === 'done' && feasible);
  // A repeated run is the same trial.
  const others = [...new Set(kept.map(({ runHash }) => runHash))]
    .filter((runHash) => runHash !== chosen.runHash)
    .flatMap((runHash) => byHash.get(runHash ?? '') ?? [])
    .filter((row) => row.length === chosen.returns.length);
  return [chosen.returns, ...others];
}
