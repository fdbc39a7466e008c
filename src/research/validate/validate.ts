/**
 * `validate`: tests a strategy or the best of a search for overfitting:
 *
 *   data ──▶ research part ──▶ search (with --space) ──▶ the best, or the strategy as given
 *    │                             │ returns of all trials        │ one run
 *    │                             ▼                              ▼
 *    │            best of many, walk-forward, PBO    PSR, DSR, bands, timing, look-ahead cuts, stress grid
 *    └──▶ lockbox: closed, or opened once and counted ──▶ verdict
 */
import { seededRandom } from '../../model/random.ts';
import { usOf } from '../../model/time.ts';
import { shareTapes } from '../../recording/tape/open-tape.ts';
import type { BacktestRun } from '../../session/backtest.ts';
import { matchTrades } from '../../statistics/trades.ts';
import { valuesOf } from '../../statistics/valuation.ts';
import { researchErrors } from '../errors.ts';
import { splitOf } from '../lockbox.ts';
import type { KnownData } from '../ledger/same-data.ts';
import { trialOf } from '../ledger/trial.ts';
import { TrialLedger, type Trial } from '../ledger/trial-ledger.ts';
import { symbolsOf } from '../report/instruments.ts';
import { metricsOf } from '../sweep/metrics.ts';
import type { SweepResult } from '../sweep/result.ts';
import { sweep } from '../sweep/sweep.ts';
import { bandsOf, evidenceOf, type Judged } from './evidence.ts';
import { DecisionLog, proofOf } from './look-ahead.ts';
import type { ValidateOptions } from './options.ts';
import type { Period, ValidationResult } from './result.ts';
import { asked, cutRuns, openedLockbox, runnerOf, stressed } from './runs.ts';
import { requireWalk, walkIn } from './walk.ts';
import { verdictOf } from './verdict.ts';
import { verdictInput } from './verdict-input.ts';

const SHARED_BYTES_MAX = 1024 ** 3;

/** Shares of the work, for the progress bar. */
const AFTER_SEARCH = 0.6;

export async function validate(options: ValidateOptions): Promise<ValidationResult> {
  const { clock, data, config, seed } = options;
  const started = clock.now();
  const shared = await shareTapes(data, SHARED_BYTES_MAX, { baseLatencyUs: usOf(config.simulation.latency.baseMs) });
  const { period, research, warnings, data: content } = await splitOf(options, shared);
  const border = research.to;
  requireWalk(research, options.walk);
  const inside = { from: border, to: period.to };
  const seenBy = countSeen(options.ledger, content, inside);
  const found = await searched(options, research);
  goOn(options);
  const params =
    found?.best === undefined || found.best === null ? options.params : withBest(options.params, found.best.params);
  const runner = runnerOf(options, params, shared);
  const ledger = new TrialLedger(options.ledger);
  try {
    ledger.know(content);
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
    const lockbox = await openedLockbox(options, runner, ledger, { dataHash: content.hash, inside });
    const onData = ledger.onData(content);
    const random = seededRandom(seed).fork('validate');
    const evidence = evidenceOf(judgedOf(options, base, found, onData), random);
    const openings = ledger.openings(content, inside);
    return {
      command: 'validate',
      strategy: base.result.strategy,
      params: base.result.params,
      runHash: base.result.runHash,
      seed,
      verdict: verdictOf(
        verdictInput({
          ...evidence,
          fills: base.result.fills,
          trades: matchTrades(valuesOf(base.result.fills, symbolsOf(base.result))),
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
      lockbox: { ...inside, metrics: lockbox, openings, seenBy },
      ledger: { file: options.ledger, trials: onData.length, at: Math.round(clock.now()) },
      ...evidence,
      bands: bandsOf(base.trial.returns, random.fork('bands')),
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

function judgedOf(
  { walk }: ValidateOptions,
  { result, trial }: BacktestRun,
  found: SweepResult | null,
  onData: readonly Trial[],
): Judged {
  const { returns, held, period } = trial;
  return {
    runHash: result.runHash,
    period,
    returns,
    held,
    metrics: metricsOf({ result, trial }),
    searched: found?.trials ?? null,
    onData,
    walk: walkIn(walk, returns.sampleMs),
  };
}

/** Throws when interrupted: a partial verdict would look complete. */
function goOn({ stopped }: ValidateOptions): void {
  if (stopped()) throw researchErrors.make('validation_interrupted', 'interrupted: no verdict');
}

function countSeen(path: string, data: KnownData, lockbox: Period): number {
  const ledger = new TrialLedger(path);
  try {
    return ledger.seenIn(data, lockbox);
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
    // The period already ends before the lockbox.
    lockboxShare: 0,
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

/** Warns when the search chose nothing, so the given parameters are judged. */
function unchosen(found: SweepResult | null): readonly string[] {
  if (found === null || found.best !== null) return [];
  return [
    'no trial of the search ran, has a value and keeps the constraints: the parameters are judged as they were given',
  ];
}
