/**
 * Execution stress: the same strategy where execution is worse than assumed. An edge that lives from one assumption is not
 * one. Each row changes one thing, the last one all of them at once. What comes by chance comes often enough for the length
 * of the data: what never strikes proves nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LatencyPair, SimulationOptions } from '../../simulation/options.ts';
import { simulationOptions } from '../../simulation/options.ts';
import type { Evaluation } from '../sweep/evaluation.ts';

export interface StressRow {
  readonly name: string;
  readonly change: string;
  readonly simulation: SimulationOptions;
  /** The same the other way round: the worse of both runs is the row's. */
  readonly otherwise?: SimulationOptions;
}

/**
 * Rate per settlement where the data tell no funding, unless a greater one is configured. Of both signs, since one of them pays
 * who is short, the other who is long.
 */
const FUNDING_RATE = 0.0005;

/** What the options allow. */
const LATENCY_MS_MAX = 60_000;
const FEED_FACTOR_MAX = 1000;

const BURST_SIGMA = 1;
const BURST_CORRELATION = 0.95;

type Latency = SimulationOptions['latency'];

/** An outage of 5 s every 5 minutes; in shorter data, this many of them, and shorter ones. */
const OUTAGE_EVERY_MS = 300_000;
const OUTAGE_MS = 5_000;
const OUTAGES_MIN = 6;

/** On bars a market order fills at the open and nothing says how far from it: at least this much is tried. */
const SLIPPAGE_BPS_MIN = 5;
const SLIPPAGE_BPS_MAX = 1000;

export interface StressedData {
  readonly hasPerpetuals: boolean;
  readonly lengthMs: number;
  /** Only bars are recorded: neither a latency below one bar nor a queue decides anything. */
  readonly onBars: boolean;
}

/** `base`: with its measured latencies, if any. */
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
  // What changes nothing would count as one kind more of worse execution in which it earns.
  return rows.filter(({ simulation, otherwise }) => otherwise !== undefined || !isDeepStrictEqual(simulation, base));
}

/** What makes execution worse where there is a book. */
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
    // Of the feed's latency no median is known before.
    ...(latency.model === 'feed' ? [] : [burstsOf(base)]),
    {
      name: 'back of the queue',
      change: 'no cancel ahead of us ever helps (risk-averse)',
      simulation: { ...base, queue: averse },
    },
  ];
}

/** Whatever the model takes its times from. */
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

/** Around the configured times, or the mean of those that were measured. */
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

/** A fee that is a rebate becomes a smaller one. */
function scaled(rate: string, factor: number): string {
  const value = Number(rate);
  return plain(value >= 0 ? value * factor : value / factor);
}

function plain(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}

/** A run that failed is worse than any, one that cannot be valued worse than a loss. */
export function worseOf(runs: readonly Evaluation[]): Evaluation {
  const rank = (run: Evaluation): number =>
    run.kind === 'failed' ? Number.NEGATIVE_INFINITY : (run.metrics['tradingPnl'] ?? -Number.MAX_VALUE);
  return runs.reduce((worst, run) => (rank(run) < rank(worst) ? run : worst));
}
