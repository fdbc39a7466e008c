/** Trials a search may choose: complete and feasible on the whole research part. Others still count as tries (DSR). */
import type { Trial } from '../ledger/trial-ledger.ts';
import type { SweepTrial } from '../sweep/result.ts';

type Named = Pick<SweepTrial, 'number' | 'params'>;

export interface Candidate {
  readonly returns: Float64Array;
  /** Its row of the search; null: none, as of parameters that were given. */
  readonly trial: Named | null;
}

interface Chosen {
  /** Null where the strategy has none. */
  readonly runHash: string | null;
  readonly returns: Float64Array;
}

export type SearchedTrial = Named & Pick<SweepTrial, 'state' | 'runHash' | 'feasible'>;

const NONE = new Float64Array();

/** The chosen one first. `onData`: every ledger trial on these data. */
export function candidatesOf(
  { runHash: chosen, returns }: Chosen,
  trials: readonly SearchedTrial[],
  onData: readonly Pick<Trial, 'runHash' | 'returns'>[],
): readonly Candidate[] {
  const byHash = new Map(onData.map(({ runHash, returns: { values } }) => [runHash, values]));
  // A repeated run is the same trial.
  const kept = new Map<string | null, SearchedTrial>();
  for (const trial of trials)
    if (trial.state === 'done' && trial.feasible && !kept.has(trial.runHash)) kept.set(trial.runHash, trial);
  const others = [...kept.values()]
    .filter(({ runHash }) => runHash !== chosen)
    .map((trial) => ({ returns: byHash.get(trial.runHash ?? '') ?? NONE, trial }))
    .filter((other) => other.returns.length === returns.length);
  return [{ returns, trial: kept.get(chosen) ?? null }, ...others];
}
