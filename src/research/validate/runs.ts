/** Runs of a validation: research part, cut data, stress, lockbox. */
import { silentLogger } from '../../model/ports.ts';
import type { SharedTape } from '../../recording/tape/tape.ts';
import { backtest, type BacktestRun } from '../../session/backtest.ts';
import { measuredSimulation } from '../../session/feed/measured-latency.ts';
import { prepareStrategies } from '../../session/strategies.ts';
import type { TrialLedger } from '../ledger/trial-ledger.ts';
import { metricsOf, type MetricValues } from '../sweep/metrics.ts';
import { workerPool } from '../sweep/worker-pool.ts';
import { compareCut, cutsOf, DecisionLog, type LookAheadCut } from './look-ahead.ts';
import type { ValidateOptions } from './options.ts';
import type { Period, StressOutcome } from './result.ts';
import { stressGrid, worseOf } from './stress.ts';

/** Given period ends, Unix ms. */
export interface Asked {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A run's own ends, else the user's. */
export function asked({ fromMs, toMs }: Asked, own: Asked): Asked {
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }), ...own };
}

/** One backtest with the chosen parameters. @throws the failure of a strategy */
export type Run = (part: Asked, log?: DecisionLog) => Promise<BacktestRun>;

export function runnerOf(
  options: ValidateOptions,
  params: ValidateOptions['params'],
  shared: readonly SharedTape[] | null,
): Run {
  const { config, data, seed, file } = options;
  return async (part, log) => {
    const strategies = await prepareStrategies({ file, params, entries: config.strategies });
    const run = await backtest({
      config,
      strategies,
      data,
      ...(shared === null ? {} : { shared }),
      ...part,
      seed,
      repeat: 1,
      logger: silentLogger,
      ...(log === undefined ? {} : { onActions: log.onActions }),
    });
    const [failure] = run.failures.values();
    if (failure !== undefined) throw failure;
    return run;
  };
}

export async function cutRuns(
  research: Period,
  whole: DecisionLog,
  run: Run,
  options: ValidateOptions,
): Promise<readonly LookAheadCut[]> {
  const cuts: LookAheadCut[] = [];
  for (const at of cutsOf(research)) {
    const log = new DecisionLog();
    await run(asked(options, { toMs: at }), log);
    cuts.push(compareCut(at, whole.decisions, log.decisions));
  }
  return cuts;
}

export async function stressed(
  options: ValidateOptions,
  params: ValidateOptions['params'],
  shared: readonly SharedTape[] | null,
  border: number,
  base: BacktestRun,
): Promise<readonly StressOutcome[]> {
  const { file, config, data, seed, workers, trialTimeoutMs, clock } = options;
  const hasPerpetuals = base.result.instruments.some(({ market }) => market === 'derivative');
  const { from, to } = base.result.period;
  const onBars = base.result.assumptions['exchange'] === 'candles';
  const rows = stressGrid(measuredSimulation(config), { hasPerpetuals, lengthMs: to - from, onBars });
  const ground = { file, fixed: params, config, data, shared, seed, argv: process.argv };
  const pool = workerPool(ground, { workers, timeoutMs: trialTimeoutMs, clock });
  try {
    return await Promise.all(
      rows.map(async ({ name, change, simulation, otherwise }): Promise<StressOutcome> => {
        const ways = otherwise === undefined ? [simulation] : [simulation, otherwise];
        const part = asked(options, { toMs: border });
        const evaluation = worseOf(
          await Promise.all(ways.map((way) => pool.evaluate({ params: {}, ...part, simulation: way }))),
        );
        return evaluation.kind === 'done'
          ? { name, change, metrics: evaluation.metrics, reason: null }
          : { name, change, metrics: null, reason: evaluation.reason };
      }),
    );
  } finally {
    await pool.close();
  }
}

/** Counted before it is opened. */
export async function openedLockbox(
  options: ValidateOptions,
  run: Run,
  ledger: TrialLedger,
  { dataHash, inside: period }: { readonly dataHash: string; readonly inside: Period },
): Promise<MetricValues | null> {
  if (!options.openLockbox) return null;
  const inside = await run(asked(options, { fromMs: period.from }));
  const metrics = metricsOf(inside);
  ledger.recordOpening({
    at: Math.round(options.clock.now()),
    strategy: inside.result.strategy,
    codeHash: inside.trial.codeHash,
    dataHash,
    period,
    result: metrics,
  });
  return metrics;
}
