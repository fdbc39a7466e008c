/**
 * `sweep`: a parameter search on threads that share one tape:
 *
 *   method ──points──▶ search ──jobs──▶ worker pool (backtests) ──▶ study and trial ledger ──▶ result
 *      ▲                  │
 *      └── results, batch by batch
 */
import { createHash } from 'node:crypto';
import { freemem } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { usOf } from '../../model/time.ts';
import { shareTapes } from '../../recording/tape/open-tape.ts';
import type { Config } from '../../session/config/schema.ts';
import type { AskedPeriod } from '../../session/result/period.ts';
import { localeNow } from '../../session/result/run-hash.ts';
import { prepareStrategies, type PreparedStrategy } from '../../session/strategies.ts';
import { isUnchanged, type Inputs } from '../../strategy/inputs/input-log.ts';
import { StudyStore, keyOf } from '../ledger/study-store.ts';
import { TrialLedger } from '../ledger/trial-ledger.ts';
import { researchErrors } from '../errors.ts';
import { splitOf } from '../lockbox.ts';
import type { Evaluation, SweepGround } from './evaluation.ts';
import { compareJudgements, firstFront } from './judgement.ts';
import { landscapeOf } from './landscape.ts';
import { luckOf } from './luck.ts';
import { samplerOf, type Method } from './methods.ts';
import type { SweepResult, SweepTrial } from './result.ts';
import { search, type SearchTrial } from './search.ts';
import type { SweepProgress } from './progress/progress-file.ts';
import { paramsAt, spaceOf, type Space, type SpaceDocument } from './space.ts';
import { workerPool } from './worker-pool.ts';

export interface SweepOptions {
  readonly file: string | undefined;
  /** `--param` texts that are not searched. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly data: readonly string[];
  /** Starting currencies given by the user. */
  readonly startCurrencies?: readonly string[];
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly space: SpaceDocument;
  readonly method: Method;
  /** Default: 100; for a grid, all. */
  readonly trials?: number;
  readonly seed: number;
  readonly halving: boolean;
  /** Share at the end that no trial sees; 0: none. */
  readonly lockboxShare: number;
  readonly workers: number;
  readonly trialTimeoutMs: number;
  readonly ledger: string;
  readonly clock: Clock;
  readonly onTrial?: (done: number, of: number) => void;
  /** Where others see how far it is. */
  readonly progress?: SweepProgress;
  readonly stopped: () => boolean;
}

const TRIALS = 100;
/** Share of free memory for shared tapes. */
const SHARED_OF_FREE = 0.25;

/** @throws `sweep_space`, and what opening data and strategies throws. */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  const { config, clock, method, seed, halving } = options;
  const started = clock.now();
  const space = spaceOf(options.space);
  const sampler = samplerOf(method, space, seededRandom(seed).fork(`sweep ${method}`));
  if (halving && Number.isFinite(sampler.batch)) {
    const message = `${method} learns from whole trials: --halving goes with grid, random and sobol`;
    throw researchErrors.make('sweep_space', message, { method });
  }
  const strategies = await firstStrategies(options);
  const ground = await groundOf(options);
  const { research: period, lockbox, warnings: cut, data } = await splitOf(options, ground.shared);
  const study = studyHash(options, strategies, data.hash, period);
  const name = strategies.map(({ loaded }) => loaded.definition.name).join(' + ');
  const store = new StudyStore(options.ledger, { hash: study, strategy: name, method, at: Math.round(started) });
  const ledger = new TrialLedger(options.ledger);
  const asked = options.trials ?? ('size' in sampler ? Number(sampler.size) : TRIALS);
  // No idle threads.
  const workers = Math.min(options.workers, asked);
  const pool = workerPool(ground, { workers, timeoutMs: options.trialTimeoutMs, clock });
  const memory = studyMemory(store, ledger, strategies);
  let ended = 0;
  const notCompared = { shares: new Set<number>(), metrics: new Set<string>() };
  const facts = {
    strategy: name,
    study: study.slice(0, 12),
    method,
    seed,
    halving,
    period,
    lockbox: options.lockboxShare === 0 ? null : lockbox,
    space: options.space,
  };
  options.progress?.begin({ ...facts, asked, startedAt: Math.round(started), pid: process.pid });
  try {
    ledger.know(data);
    const trials = await search({
      space,
      sampler,
      trials: asked,
      halving,
      workers,
      period: { fromMs: period.from, toMs: period.to },
      asked: askedPeriod(options, period.to),
      evaluate: pool.evaluate,
      recall: memory.recall,
      keep: memory.keep,
      onTrial: (trial) => {
        options.progress?.trial(shown(trial));
        options.onTrial?.(++ended, asked);
      },
      onNotCompared: (share, metric) => {
        notCompared.shares.add(share);
        notCompared.metrics.add(metric);
      },
      stopped: options.stopped,
    });
    const wallMs = clock.now() - started;
    const done = trials.filter(({ state }) => state === 'done');
    const best = bestOf(done);
    const distinct = distinctRuns(done);
    const landscape = landscapeOf(space, distinct);
    const onData = ledger.onData(data);
    const feasible = distinct.filter(isFeasible).toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
    const hashes = feasible.flatMap(({ runHash }) => runHash ?? []);
    const luck = luckOf(best?.runHash ?? null, hashes, onData);
    const result: SweepResult = {
      command: 'sweep',
      ...facts,
      counts: {
        asked,
        done: done.length,
        pruned: trials.filter(({ state }) => state === 'pruned').length,
        failed: trials.filter(({ state }) => state === 'failed').length,
        infeasible: done.filter((trial) => !isFeasible(trial)).length,
        resumed: memory.recalled(),
      },
      best: best === null ? null : shown(best),
      front: frontOf(space, best, feasible).map(shown),
      landscape,
      luck,
      ledger: { file: options.ledger, trials: onData.length, at: Math.round(clock.now()) },
      trials: trials.map(shown),
      workers,
      wallMs: Math.round(wallMs),
      trialsPerMinute: wallMs > 0 ? Math.round((trials.length / wallMs) * 60_000) : 0,
      interrupted: options.stopped() && trials.length < asked,
      warnings: [...cut, ...notPruned(notCompared), ...warningsOf(trials, config, landscape.edges)],
      files: { report: null, result: null },
    };
    options.progress?.end(Math.round(clock.now()), result);
    return result;
  } finally {
    await pool.close();
    store.close();
    ledger.close();
  }
}

/** Tries the middle of the space, to find errors before starting threads. */
async function firstStrategies({ file, fixed, config, space }: SweepOptions): Promise<readonly PreparedStrategy[]> {
  const middle = paramsAt(
    spaceOf(space),
    Object.keys(space.parameters).map(() => 0.5),
  );
  const texts = Object.fromEntries(Object.entries(middle).map(([name, value]) => [name, String(value)]));
  const both = Object.keys(fixed).find((name) => name in texts);
  if (both !== undefined) {
    throw researchErrors.make('sweep_space', `${both} is searched and given by --param`, { name: both });
  }
  return prepareStrategies({ file, params: { ...fixed, ...texts }, entries: config.strategies });
}

/** The user's period, ending at the lockbox if there is one. */
function askedPeriod({ fromMs, toMs, lockboxShare }: SweepOptions, border: number): AskedPeriod {
  const end = lockboxShare === 0 ? toMs : border;
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(end === undefined ? {} : { toMs: end }) };
}

async function groundOf(options: SweepOptions): Promise<SweepGround> {
  const { file, fixed, config, data, seed } = options;
  const baseLatencyUs = usOf(config.simulation.latency.baseMs);
  const shared = await shareTapes(data, SHARED_OF_FREE * freemem(), { baseLatencyUs });
  return { file, fixed, config, data, shared, seed, argv: process.argv };
}

function studyHash(
  { config, space, method, seed, halving, fixed }: SweepOptions,
  strategies: readonly PreparedStrategy[],
  contentHash: string,
  period: SweepResult['period'],
): string {
  const code = strategies.map(({ loaded, tag, limits, onStop }) => {
    return { hash: loaded.hash, inputs: loaded.inputs.inputs.hash, tag, limits, onStop };
  });
  const { account, risk, simulation } = config;
  const entries = config.strategies.map(({ params }) => params);
  const parts = {
    code,
    contentHash,
    period,
    space,
    method,
    seed,
    halving,
    fixed,
    entries,
    account,
    risk,
    simulation,
    locale: localeNow(),
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Stores outcomes and recalls earlier ones. */
function studyMemory(store: StudyStore, ledger: TrialLedger, strategies: readonly PreparedStrategy[]) {
  let recalled = 0;
  const folders = strategies.map(({ loaded }) => dirname(loaded.file));
  const loadedCode = strategies.map(({ loaded }) => loaded.hash).join();
  /** Inputs read while running are not in the search's hash. */
  const isAsItWas = (inputs: readonly Inputs[] | undefined): boolean =>
    inputs !== undefined && inputs.every((each, at) => isUnchanged(each, folders[at]!));
  return {
    recalled: () => recalled,
    recall: (number: number, rung: number, params: SearchTrial['params']): Evaluation | null => {
      const run = store.known.get(keyOf(number, rung));
      if (run === undefined || JSON.stringify(run.params) !== JSON.stringify(params)) return null;
      const outcome = run.outcome as StoredOutcome;
      // Retried: it may have met a full disk or a slow machine.
      if (outcome.kind === 'failed') return null;
      const trial = ledger.find(outcome.runHash);
      const { metrics, code = [], inputs = [], wallMs } = outcome;
      if (trial === null || code.join() !== loadedCode || !isAsItWas(outcome.inputs)) return null;
      recalled++;
      return { kind: 'done', metrics, trial, code, inputs, wallMs };
    },
    keep: (number: number, rung: number, params: SearchTrial['params'], evaluation: Evaluation): void => {
      if (evaluation.kind === 'done') ledger.record(evaluation.trial);
      store.record({ number, rung, params, outcome: storedOf(evaluation) });
    },
  };
}

type StoredOutcome =
  | {
      readonly kind: 'done';
      readonly metrics: SearchTrial['metrics'];
      readonly runHash: string;
      /** Absent in older ledgers: such a trial runs again. */
      readonly code?: readonly string[];
      readonly inputs?: readonly Inputs[];
      readonly wallMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

function storedOf(evaluation: Evaluation): StoredOutcome {
  if (evaluation.kind === 'failed') return evaluation;
  const { metrics, trial, code, inputs, wallMs } = evaluation;
  return { kind: 'done', metrics, runHash: trial.runHash, code, inputs, wallMs };
}

function isFeasible({ judgement }: SearchTrial): boolean {
  return judgement.violation === 0;
}

/** Equal parameters are one trial, the first. */
function distinctRuns(done: readonly SearchTrial[]): readonly SearchTrial[] {
  const seen = new Set<string | null>();
  return done.filter(({ runHash }) => !seen.has(runHash) && seen.add(runHash));
}

/** By the first objective. */
function bestOf(done: readonly SearchTrial[]): SearchTrial | null {
  const feasible = done.filter((trial) => isFeasible(trial) && Number.isFinite(trial.judgement.scores[0]));
  return feasible.reduce<SearchTrial | null>(
    (best, trial) => (best === null || compareJudgements(trial.judgement, best.judgement) < 0 ? trial : best),
    null,
  );
}

/** Undominated, or the best with one objective. `feasible`: best first. */
function frontOf(space: Space, best: SearchTrial | null, feasible: readonly SearchTrial[]): readonly SearchTrial[] {
  if (space.objectives.length === 1) return best === null ? [] : [best];
  return firstFront(feasible.map(({ judgement }) => judgement)).map((index) => feasible[index]!);
}

function shown({ number, params, state, share, runHash, reason, metrics, judgement, point }: SearchTrial): SweepTrial {
  return { number, params, state, share, runHash, reason, metrics, feasible: judgement.violation === 0, point };
}

function notPruned(found: { readonly shares: ReadonlySet<number>; readonly metrics: ReadonlySet<string> }): string[] {
  if (found.shares.size === 0) return [];
  const parts = [...found.shares].map((share) => `${Math.round(share * 100)} %`).join(' and the first ');
  return [
    `--halving pruned nothing on the first ${parts} of the data: no trial has a value for ` +
      `${[...found.metrics].join(', ')} there (too little data, or no trades)`,
  ];
}

function warningsOf(
  trials: readonly SearchTrial[],
  config: Config,
  edges: SweepResult['landscape']['edges'],
): readonly string[] {
  const failed = trials.filter(({ state }) => state === 'failed');
  const reasons = [...new Set(failed.map(({ reason }) => reason))].slice(0, 3).join('; ');
  const undefinedScores = trials.filter(
    ({ state, judgement }) => state === 'done' && !judgement.scores.every(Number.isFinite),
  );
  return [
    ...(failed.length === 0 ? [] : [`${failed.length} trials failed: ${reasons}`]),
    ...(undefinedScores.length === 0
      ? []
      : [`${undefinedScores.length} trials have no value for an objective (too little data, or no trades)`]),
    ...edges.map(({ name, end }) => `${name}: the best values lie at the ${end} end of its range; search further`),
    ...(config.strategies.length > 1 ? ['several strategies: the parameters of all of them share one name space'] : []),
  ];
}
