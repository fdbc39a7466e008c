/**
 * The search loop. Results are reported in order, so the number of workers does not matter; stored trials are reused.
 */
import { BRACKET, rungShares, survivors } from './halving.ts';
import type { Evaluate, Evaluation } from './evaluation.ts';
import { compareJudgements, FAILED, judge, type Judgement } from './judgement.ts';
import { PER_PERIOD, type MetricValues } from './metrics.ts';
import type { Sampler } from './samplers/sampler.ts';
import { paramsAt, type ParamValue, type Space, type UnitPoint } from './space.ts';

/** Bounds memory for methods that do not learn. */
const PORTION = 256;

export interface SearchTrial {
  readonly number: number;
  readonly point: UnitPoint;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly state: 'done' | 'pruned' | 'failed';
  /** Of the largest part tried. */
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
  /** Parallel trials. */
  readonly workers: number;
  /** First and last event, Unix ms. */
  readonly period: { readonly fromMs: number; readonly toMs: number };
  /** Period ends given by the user. */
  readonly asked: { readonly fromMs?: number; readonly toMs?: number };
  readonly evaluate: Evaluate;
  /** The stored outcome of an earlier run, or null. */
  readonly recall: (number: number, rung: number, params: SearchTrial['params']) => Evaluation | null;
  readonly keep: (number: number, rung: number, params: SearchTrial['params'], evaluation: Evaluation) => void;
  readonly onTrial?: (trial: SearchTrial) => void;
  /** No trial has a value for the objective on this part of the data, so none is pruned there. */
  readonly onNotCompared?: (share: number, metric: string) => void;
  /** True: start no further trial. */
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
    // A partial batch would change what is learned.
    if (ended.length < entrants.length) return [...all, ...ended];
    sampler.tell(ended.map(({ point, judgement }) => ({ point, judgement })));
    all.push(...ended);
  }
  return all;
}

/** All rungs of one batch. Returns the ended trials, by number. */
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
    const sorted = ranked(alive, share, options);
    if (sorted === null) {
      climbing = climbing.filter(({ number }) => alive.some((trial) => trial.number === number));
      continue;
    }
    const kept = new Set(sorted.slice(0, survivors(alive.length)).map(({ number }) => number));
    for (const trial of alive) if (!kept.has(trial.number)) end({ ...trial, state: 'pruned' });
    climbing = climbing.filter(({ number }) => kept.has(number));
  }
  return ended.toSorted((a, b) => a.number - b.number);
}

/**
 * Best first on a part of the data, which may be too short to annualise: there the form per period compares. Null when
 * an objective has a value for no trial: their order would be that of their numbers.
 */
function ranked(
  alive: readonly SearchTrial[],
  share: number,
  { space: { objectives, constraints }, onNotCompared }: SearchOptions,
): readonly SearchTrial[] | null {
  const hasValue = (name: string): boolean =>
    alive.some(({ metrics }) => metrics['volume'] !== 0 && (metrics[name] ?? null) !== null);
  const compared = objectives.map(({ metric, direction }) => {
    return { metric: hasValue(metric) ? metric : (PER_PERIOD[metric] ?? metric), direction };
  });
  const missing = compared.findIndex(({ metric }) => !hasValue(metric));
  if (alive.length > 0 && missing !== -1) {
    onNotCompared?.(share, objectives[missing]!.metric);
    return null;
  }
  const judged = alive.map((trial) => ({ trial, judgement: judge(trial.metrics, compared, constraints) }));
  return judged.toSorted((a, b) => compareJudgements(a.judgement, b.judgement)).map(({ trial }) => trial);
}

/** Runs several at once; stores each as it ends. */
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
