/**
 * The search: asks the method for points, has them evaluated, tells it how they came out. Batches are told in the order in
 * which they were asked for, so the trials are the same with any number of workers; what an earlier run has stored is
 * taken from there. Called by `sweep.ts`.
 */
import { BRACKET, rungShares, survivors } from './halving.ts';
import type { Evaluate, Evaluation } from './evaluation.ts';
import { compareJudgements, FAILED, judge, type Judgement } from './judgement.ts';
import type { MetricValues } from './metrics.ts';
import type { Sampler } from './samplers/sampler.ts';
import { paramsAt, type ParamValue, type Space, type UnitPoint } from './space.ts';

/** Points of methods that do not learn are handed out in portions, so that memory does not grow with their number. */
const PORTION = 256;

export interface SearchTrial {
  readonly number: number;
  readonly point: UnitPoint;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly state: 'done' | 'pruned' | 'failed';
  /** Of the largest part of the data that it was tried on. */
  readonly share: number;
  readonly metrics: MetricValues;
  readonly judgement: Judgement;
  readonly runHash: string | null;
  readonly reason: string | null;
}

export interface SearchOptions {
  readonly space: Space;
  readonly sampler: Sampler;
  readonly trials: number;
  readonly halving: boolean;
  /** Trials at the same time. */
  readonly workers: number;
  /** Unix ms: the first and the last event of the period. */
  readonly period: { readonly fromMs: number; readonly toMs: number };
  /** The ends of the period that the user gave. */
  readonly asked: { readonly fromMs?: number; readonly toMs?: number };
  readonly evaluate: Evaluate;
  /** What an earlier run of this search has found; null when it has not come to it. */
  readonly recall: (number: number, rung: number, params: SearchTrial['params']) => Evaluation | null;
  readonly keep: (number: number, rung: number, params: SearchTrial['params'], evaluation: Evaluation) => void;
  readonly onTrial?: (trial: SearchTrial) => void;
  /** True once no further trial is to be begun. */
  readonly stopped: () => boolean;
}

interface Entrant {
  readonly number: number;
  readonly point: UnitPoint;
  readonly params: SearchTrial['params'];
}

export async function search(options: SearchOptions): Promise<readonly SearchTrial[]> {
  const { sampler, trials, halving, stopped, space } = options;
  const all: SearchTrial[] = [];
  const size = Math.min(sampler.batch, halving ? BRACKET : PORTION);
  while (all.length < trials && !stopped()) {
    const points = sampler.ask(Math.min(size, trials - all.length));
    if (points.length === 0) break;
    const entrants = points.map((point, index) => ({
      number: all.length + index,
      point,
      params: paramsAt(space, point),
    }));
    const ended = await climb(entrants, options);
    // A batch that was broken off is not told: the method would have learned from a part of it.
    if (ended.length < entrants.length) return [...all, ...ended];
    sampler.tell(ended.map(({ point, judgement }) => ({ point, judgement })));
    all.push(...ended);
  }
  return all;
}

/** All rungs of one batch. Answers the trials that came to an end, by number. */
async function climb(entrants: readonly Entrant[], options: SearchOptions): Promise<readonly SearchTrial[]> {
  const { halving, onTrial } = options;
  const shares = rungShares(halving);
  const ended: SearchTrial[] = [];
  const end = (trial: SearchTrial): void => {
    ended.push(trial);
    onTrial?.(trial);
  };
  let climbing = entrants;
  for (const [rung, share] of shares.entries()) {
    const isLast = rung === shares.length - 1;
    const tried = await evaluateAll(climbing, rung, share, options, (trial) => {
      if (isLast || trial.state === 'failed') end(trial);
    });
    if (isLast) break;
    const alive = tried.filter(({ state }) => state !== 'failed');
    const sorted = alive.toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
    const kept = new Set(sorted.slice(0, survivors(alive.length)).map(({ number }) => number));
    for (const trial of alive) if (!kept.has(trial.number)) end({ ...trial, state: 'pruned' });
    climbing = climbing.filter(({ number }) => kept.has(number));
  }
  return ended.toSorted((a, b) => a.number - b.number);
}

/** Several at once; each is kept as soon as it has ended. */
async function evaluateAll(
  entrants: readonly Entrant[],
  rung: number,
  share: number,
  options: SearchOptions,
  onEnd: (trial: SearchTrial) => void,
): Promise<readonly SearchTrial[]> {
  const tried: SearchTrial[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let entrant = entrants[next++]; entrant !== undefined && !options.stopped(); entrant = entrants[next++]) {
      const trial = trialOf(entrant, share, await evaluateOne(entrant, rung, share, options), options.space);
      tried.push(trial);
      onEnd(trial);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, lane));
  return tried.toSorted((a, b) => a.number - b.number);
}

async function evaluateOne(
  { number, params }: Entrant,
  rung: number,
  share: number,
  { evaluate, recall, keep, period, asked }: SearchOptions,
): Promise<Evaluation> {
  const known = recall(number, rung, params);
  if (known !== null) return known;
  const { fromMs, toMs } = period;
  const part = share === 1 ? {} : { toMs: Math.round(fromMs + share * (toMs - fromMs)) };
  const evaluation = await evaluate({ params, ...asked, ...part });
  keep(number, rung, params, evaluation);
  return evaluation;
}

function trialOf(entrant: Entrant, share: number, evaluation: Evaluation, space: Space): SearchTrial {
  if (evaluation.kind === 'failed') {
    return {
      ...entrant,
      state: 'failed',
      share,
      metrics: {},
      judgement: FAILED,
      runHash: null,
      reason: evaluation.reason,
    };
  }
  const { metrics, trial } = evaluation;
  const judgement = judge(metrics, space.objectives, space.constraints);
  return { ...entrant, state: 'done', share, metrics, judgement, runHash: trial.runHash, reason: null };
}
