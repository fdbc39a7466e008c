/**
 * Execution stress. Each row worsens one assumption, the last one all. Random events are frequent enough for the data's
 * length.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LatencyPair, SimulationOptions } from '../../simulation/options.ts';
import { simulationOptions } from '../../simulation/options.ts';
import type { Evaluation } from '../sweep/evaluation.ts';

export interface StressRow {
  readonly name: string;
  readonly change: string;
  readonly simulation: SimulationOptions;
  /** The opposite change; the worse run counts. */
  readonly otherwise?: SimulationOptions;
}

/** Per settlement without recorded funding, unless configured greater; both signs. */
const FUNDING_RATE = 0.0005;

/** Maximum of the options. */
const LATENCY_MS_MAX = 60_000;
const FEED_FACTOR_MAX = 1000;

const BURST_SIGMA = 1;
const BURST_CORRELATION = 0.95;

type Latency = SimulationOptions['latency'];

/** Outages of 5 s; shorter data get this many shorter ones. */
const OUTAGE_EVERY_MS = 300_000;
const OUTAGE_MS = 5_000;
const OUTAGES_MIN = 6;

/** Minimum on bars, where market orders fill at the open. */
const SLIPPAGE_BPS_MIN = 5;
const SLIPPAGE_BPS_MAX = 1000;

export interface StressedData {
  readonly hasPerpetuals: boolean;
  readonly lengthMs: number;
  /** Bars only: short latencies and queues have no effect. */
  readonly onBars: boolean;
}

/** `base`: with measured latencies, if any. */
export function stressGrid(
  base: SimulationOptions,
  { hasPerpetuals, lengthMs, onBars }: StressedData,
): readonly StressRow[] {
  const { latency, fees } = base;
  const everyMs = Math.max(1, Math.round(Math.min(OUTAGE_EVERY_MS, lengthMs / OUTAGES_MIN)));
  const forMs = Math.max(1, Math.round((OUTAGE_MS * everyMs) / OUTAGE_EVERY_MS));
  const outages: SimulationOptions['stress'] = { ...base.stress, outages: { everyMs, forMs } };
  const dearer = (factor: number): SimulationOptions['fees'] => ({
    maker: scaled(fees.maker, factor),
    taker: scaled(fees.taker, factor),
  });
  const averse = base.queue.model === 'last' ? base.queue : simulationOptions.parse({ queue: 'risk-averse' }).queue;
  const rate = plain(Math.max(Math.abs(Number(base.perpetuals.fundingRate ?? 0)), FUNDING_RATE));
  const funded = (simulation: SimulationOptions): Pick<StressRow, 'simulation' | 'otherwise'> => {
    if (!hasPerpetuals) return { simulation };
    const signed = (fundingRate: string): SimulationOptions => ({
      ...simulation,
      perpetuals: { ...base.perpetuals, fundingRate },
    });
    return { simulation: signed(rate), otherwise: signed(`-${rate}`) };
  };
  const slippageBps = Math.min(SLIPPAGE_BPS_MAX, Math.max(SLIPPAGE_BPS_MIN, 5 * base.slippageBps));
  const worse: SimulationOptions = onBars
    ? { ...base, slippageBps }
    : { ...base, latency: slower(latency, 2), queue: averse };
  const rows: readonly StressRow[] = [
    ...(onBars
      ? [{ name: 'slippage', change: `market orders fill ${slippageBps} bps worse than the open`, simulation: worse }]
      : bookRows(base, averse)),
    { name: 'fees × 1.5', change: 'maker and taker', simulation: { ...base, fees: dearer(1.5) } },
    ...(hasPerpetuals
      ? [{ name: 'funding', change: `${rate} at each settlement, of the sign that is worse`, ...funded(base) }]
      : []),
    {
      name: 'outage',
      change: `the venue refuses every command for ${forMs / 1000} s, every ${everyMs / 1000} s on average`,
      simulation: { ...base, stress: outages },
    },
    {
      name: 'all at once',
      change: `${onBars ? 'slippage' : 'latency × 2, back of the queue'}, fees × 1.5, outages${hasPerpetuals ? ', funding' : ''}`,
      ...funded({ ...worse, fees: dearer(1.5), stress: outages }),
    },
  ];
  // Rows without a change would count as passed.
  return rows.filter(({ simulation, otherwise }) => otherwise !== undefined || !isDeepStrictEqual(simulation, base));
}

/** Rows that need a book. */
function bookRows(base: SimulationOptions, averse: SimulationOptions['queue']): readonly StressRow[] {
  const { latency } = base;
  return [
    {
      name: 'latency × 2',
      change: 'orders and answers take twice as long',
      simulation: { ...base, latency: slower(latency, 2) },
    },
    {
      name: 'latency × 5',
      change: 'orders and answers take five times as long',
      simulation: { ...base, latency: slower(latency, 5) },
    },
    // The feed model has no known median.
    ...(latency.model === 'feed' ? [] : [burstsOf(base)]),
    {
      name: 'back of the queue',
      change: 'no cancel ahead of us ever helps (risk-averse)',
      simulation: { ...base, queue: averse },
    },
  ];
}

/** Slows any latency model. */
function slower(latency: Latency, factor: number): Latency {
  const times = (ms: number): number => Math.min(LATENCY_MS_MAX, ms * factor);
  const { model, entryMs, responseMs, feedFactor, pairs } = latency;
  return {
    ...latency,
    entryMs: times(entryMs),
    responseMs: times(responseMs),
    feedFactor: model === 'feed' ? Math.min(FEED_FACTOR_MAX, feedFactor * factor) : feedFactor,
    ...(pairs === undefined
      ? {}
      : {
          pairs: pairs.map((pair) => ({ ...pair, entryMs: times(pair.entryMs), responseMs: times(pair.responseMs) })),
        }),
  };
}

/** Around configured times, or the measured mean. */
function burstsOf(base: SimulationOptions): StressRow {
  const { latency } = base;
  const { pairs = [], model } = latency;
  const mean = (pick: (pair: LatencyPair) => number): number =>
    pairs.reduce((sum, pair) => sum + pick(pair), 0) / pairs.length;
  const medians =
    model === 'measured' && pairs.length > 0
      ? { entryMs: mean(({ entryMs }) => entryMs), responseMs: mean(({ responseMs }) => responseMs) }
      : {};
  const isWild = model === 'lognormal';
  const sigma = isWild ? Math.max(latency.sigma, BURST_SIGMA) : BURST_SIGMA;
  const correlation = isWild ? Math.max(latency.correlation, BURST_CORRELATION) : BURST_CORRELATION;
  return {
    name: 'latency bursts',
    change: `lognormal with σ ${sigma} and correlation ${correlation}`,
    simulation: { ...base, latency: { ...latency, ...medians, model: 'lognormal', sigma, correlation } },
  };
}

/** A rebate shrinks. */
function scaled(rate: string, factor: number): string {
  const value = Number(rate);
  return plain(value >= 0 ? value * factor : value / factor);
}

function plain(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}

/** A failed run is worst, then one that cannot be valued, then a loss. */
export function worseOf(runs: readonly Evaluation[]): Evaluation {
  const rank = (run: Evaluation): number =>
    run.kind === 'failed' ? Number.NEGATIVE_INFINITY : (run.metrics['tradingPnl'] ?? -Number.MAX_VALUE);
  return runs.reduce((worst, run) => (rank(run) < rank(worst) ? run : worst));
}
