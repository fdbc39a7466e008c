/** A search that runs, in the form of its result: what can be said of the trials that have ended. Pure. */
import { compareJudgements, judge } from '../judgement.ts';
import { landscapeOf } from '../landscape.ts';
import type { SweepResult, SweepTrial } from '../result.ts';
import type { SearchTrial } from '../search.ts';
import { spaceOf } from '../space.ts';
import type { ReadProgress } from './progress-file.ts';

export interface SweepState {
  /** `interrupted`: by its user; `ended`: all trials; `broken off`: its process is gone. */
  readonly state: 'running' | 'interrupted' | 'ended' | 'broken off';
  readonly done: number;
  readonly asked: number;
  readonly startedAt: number;
  /** Unix ms of the last trial. */
  readonly at: number;
}

export type SweepSoFar = Omit<SweepResult, 'workers' | 'front' | 'files' | 'ledger'> & {
  readonly progress: SweepState;
};

const UNKNOWN_LUCK: SweepResult['luck'] = {
  trialsOnData: 0,
  effectiveTrials: null,
  dsr: null,
  minBacktestYears: null,
  pbo: null,
  periods: 0,
  sampleMs: null,
};

export function stateOf({ begin, trials, end }: ReadProgress, at: number, isAlive: boolean): SweepState {
  const over = end?.result.interrupted === true ? 'interrupted' : 'ended';
  const state = end !== null ? over : isAlive ? 'running' : 'broken off';
  return { state, done: trials.length, asked: begin.asked, startedAt: begin.startedAt, at };
}

/** `progress`: of `stateOf`. Throws what a space of another build throws. */
export function sweepSoFar({ begin, trials, end }: ReadProgress, progress: SweepState): SweepSoFar {
  if (end !== null) return { ...end.result, trials, progress };
  const { asked, startedAt, pid: _, ...facts } = begin;
  const space = spaceOf(begin.space);
  const judged = trials.map((trial): SearchTrial => {
    return { ...trial, judgement: judge(trial.metrics, space.objectives, space.constraints) };
  });
  const done = judged.filter(({ state }) => state === 'done');
  const counted = (state: SweepTrial['state']): number => trials.filter((trial) => trial.state === state).length;
  const feasible = done.filter(({ judgement: { violation, scores } }) => violation === 0 && Number.isFinite(scores[0]));
  const [best] = feasible.toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
  const wallMs = Math.max(0, progress.at - startedAt);
  return {
    command: 'sweep',
    ...facts,
    counts: {
      asked,
      done: done.length,
      pruned: counted('pruned'),
      failed: counted('failed'),
      infeasible: done.filter(({ judgement }) => judgement.violation > 0).length,
      resumed: 0,
    },
    best: trials.find(({ number }) => number === best?.number) ?? null,
    landscape: landscapeOf(space, done),
    luck: UNKNOWN_LUCK,
    trials,
    wallMs,
    trialsPerMinute: wallMs > 0 ? Math.round((trials.length / wallMs) * 60_000) : 0,
    interrupted: progress.state === 'interrupted',
    warnings: [],
    progress,
  };
}
