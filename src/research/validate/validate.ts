/**
 * `validate`: is there an edge, or only a search? Reading this file shows the whole of it:
 *
 *   data ──▶ research part ──▶ search (with --space) ──▶ the best, or the strategy as given
 *    │                             │ returns of all trials        │ one run, in the open
 *    │                             ▼                              ▼
 *    │            walk-forward, PBO, SPA        PSR, DSR, bands, permutation, look-ahead cuts, stress grid
 *    └──▶ lockbox: closed, or opened once and counted ──▶ verdict
 */
import { messageOf } from '../../model/errors.ts';
import { seededRandom } from '../../model/random.ts';
import { usOf } from '../../model/time.ts';
import { openTape, shareTapes } from '../../recording/open-tape.ts';
import type { SharedTape } from '../../recording/tape.ts';
import type { BacktestRun } from '../../session/backtest.ts';
import { periodWithin } from '../../session/period.ts';
import { blockPermutation } from '../../statistics/overfitting/permutation.ts';
import { researchErrors } from '../errors.ts';
import { trialOf } from '../ledger/trial.ts';
import { TrialLedger } from '../ledger/trial-ledger.ts';
import { metricsOf } from '../sweep/metrics.ts';
import type { SweepResult } from '../sweep/result.ts';
import { sweep } from '../sweep/sweep.ts';
import { candidateRows } from './candidates.ts';
import { abilityOf, bandsOf, baseEvidence, overfittingOf, walkOf } from './evidence.ts';
import { DecisionLog, proofOf } from './look-ahead.ts';
import type { ValidateOptions } from './options.ts';
import type { Period, ValidationResult } from './result.ts';
import { asked, cutRuns, openedLockbox, runnerOf, stressed } from './runs.ts';
import { verdictOf } from './verdict.ts';
import { verdictInput } from './verdict-input.ts';

const SHARED_BYTES_MAX = 1024 ** 3;

/** Shares of the work, for the progress bar. */
const AFTER_SEARCH = 0.6;

export async function validate(options: ValidateOptions): Promise<ValidationResult> {
  const { clock, data, config, seed } = options;
  const started = clock.now();
  const baseLatencyUs = usOf(config.simulation.latency.baseMs);
  const shared = await shareTapes(data, SHARED_BYTES_MAX, { baseLatencyUs });
  const { period, warnings, contentHash } = await describeData(options, shared, baseLatencyUs);
  const border = Math.round(period.to - options.lockboxShare * (period.to - period.from));
  const research: Period = { from: period.from, to: border };
  const seenBy = countSeen(options.ledger, contentHash, border);
  const found = await searched(options, research);
  goOn(options);
  const params =
    found?.best === undefined || found.best === null ? options.params : withBest(options.params, found.best.params);
  const runner = runnerOf(options, params, shared);
  const ledger = new TrialLedger(options.ledger);
  try {
    const log = new DecisionLog();
    const base = await runner(asked(options, { toMs: border }), log);
    ledger.record(trialOf(base, 'validate', Math.round(clock.now())));
    options.progress?.(AFTER_SEARCH + 0.1);
    goOn(options);
    const lookAhead = proofOf(await cutRuns(research, log, runner, options), base.trial.filesRead);
    options.progress?.(AFTER_SEARCH + 0.2);
    goOn(options);
    const stress = await stressed(options, params, shared, border, base);
    options.progress?.(1);
    goOn(options);
    const lockbox = await openedLockbox(options, runner, ledger, { contentHash, border, to: period.to });
    const onData = ledger.onData(contentHash);
    const chosen = { runHash: base.result.runHash, returns: base.trial.returns.values };
    const rows = candidateRows(chosen, found?.trials ?? [], onData);
    const random = seededRandom(seed).fork('validate');
    const { returns } = base.trial;
    const evidence = baseEvidence(metricsOf(base), returns, base.result.period, onData);
    const walk = {
      mode: options.walk.mode,
      folds: options.walk.folds,
      purge: Math.ceil(options.walk.purgeMs / returns.sampleMs),
      embargo: Math.ceil(options.walk.embargoMs / returns.sampleMs),
    };
    const parts = {
      bands: bandsOf(returns, random.fork('bands')),
      permutation: permuted(base, random.fork('permutation')),
      walkForward: walkOf(rows, walk),
      overfitting: overfittingOf(rows, found !== null),
      superiorAbility: abilityOf(rows, found !== null, random.fork('spa')),
    };
    const openings = ledger.openings(contentHash);
    return {
      command: 'validate',
      strategy: base.result.strategy,
      params: base.result.params,
      runHash: base.result.runHash,
      seed,
      verdict: verdictOf(
        verdictInput({
          evidence,
          fills: base.result.fills,
          ...parts,
          stress,
          lookAhead,
          research,
          lockbox,
          openings,
          seenBy,
          found,
        }),
      ),
      period,
      research,
      lockbox: { from: border, to: period.to, metrics: lockbox, openings, seenBy },
      base: evidence,
      ledger: { file: options.ledger, trials: onData.length, at: Math.round(clock.now()) },
      ...parts,
      stress,
      lookAhead,
      wallMs: Math.round(clock.now() - started),
      warnings: [...new Set([...base.result.warnings, ...warnings, ...(found?.warnings ?? []), ...unchosen(found)])],
      files: { report: null, result: null },
    };
  } finally {
    ledger.close();
  }
}

/** A verdict on a part of what was asked for would look like one on all of it. */
function goOn({ stopped }: ValidateOptions): void {
  if (stopped()) throw researchErrors.make('validation_interrupted', 'interrupted: no verdict');
}

interface DataFacts {
  readonly period: Period;
  readonly warnings: readonly string[];
  readonly contentHash: string;
}

async function describeData(
  options: ValidateOptions,
  shared: readonly SharedTape[] | null,
  baseLatencyUs: number,
): Promise<DataFacts> {
  const tape = await openTape(options.data, {
    baseLatencyUs,
    ...asked(options, {}),
    ...(shared === null ? {} : { shared }),
  });
  try {
    const { from, to, warnings } = periodWithin(tape, options);
    return { period: { from, to }, warnings, contentHash: tape.contentHash };
  } finally {
    tape.close();
  }
}

function countSeen(path: string, contentHash: string, border: number): number {
  const ledger = new TrialLedger(path);
  try {
    return ledger.seenAfter(contentHash, border);
  } finally {
    ledger.close();
  }
}

async function searched(options: ValidateOptions, research: Period): Promise<SweepResult | null> {
  const { search } = options;
  if (search === undefined) return null;
  return sweep({
    file: options.file,
    fixed: options.params,
    config: options.config,
    data: options.data,
    ...asked(options, { toMs: research.to }),
    space: search.space,
    method: search.method,
    ...(search.trials === undefined ? {} : { trials: search.trials }),
    seed: options.seed,
    halving: false,
    workers: options.workers,
    trialTimeoutMs: options.trialTimeoutMs,
    ledger: options.ledger,
    clock: options.clock,
    onTrial: (done, of) => options.progress?.((AFTER_SEARCH * done) / of),
    stopped: options.stopped,
  });
}

function withBest(
  given: Readonly<Record<string, string>>,
  best: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return { ...given, ...Object.fromEntries(Object.entries(best).map(([name, value]) => [name, String(value)])) };
}

/** What is judged then is not what the search was for. */
function unchosen(found: SweepResult | null): readonly string[] {
  if (found === null || found.best !== null) return [];
  return [
    'no trial of the search ran, has a value and keeps the constraints: the parameters are judged as they were given',
  ];
}

function permuted(base: BacktestRun, random: ReturnType<typeof seededRandom>): ValidationResult['permutation'] {
  const { held } = base.trial;
  if (held === null) return { skipped: 'no fills, or no price path' };
  try {
    return { ...blockPermutation(held.positions, held.market, random), symbol: held.symbol };
  } catch (thrown) {
    return { skipped: messageOf(thrown) };
  }
}
