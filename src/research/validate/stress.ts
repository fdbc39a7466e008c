/**
 * Execution stress: the same strategy where execution is worse than assumed. An edge that lives from one assumption is not
 * one. Each row changes one thing, the last one all of them at once. What comes by chance comes often enough for the length
 * of the data: what never strikes proves nothing.
 */
import type { SimulationOptions } from '../../simulation/options.ts';
import { simulationOptions } from '../../simulation/options.ts';

export interface StressRow {
  readonly name: string;
  readonly change: string;
  readonly simulation: SimulationOptions;
}

/** Rate per settlement that is charged against the position where the data tell no funding. */
const FUNDING_RATE = '0.0005';

/** An outage of 5 s every 5 minutes; in shorter data, this many of them, and shorter ones. */
const OUTAGE_EVERY_MS = 300_000;
const OUTAGE_MS = 5_000;
const OUTAGES_MIN = 6;

/** `lengthMs`: of the data. */
export function stressGrid(base: SimulationOptions, hasPerpetuals: boolean, lengthMs: number): readonly StressRow[] {
  const { latency, fees } = base;
  const everyMs = Math.max(1, Math.round(Math.min(OUTAGE_EVERY_MS, lengthMs / OUTAGES_MIN)));
  const forMs = Math.max(1, Math.round((OUTAGE_MS * everyMs) / OUTAGE_EVERY_MS));
  const outages: SimulationOptions['stress'] = { ...base.stress, outages: { everyMs, forMs } };
  const slower = (factor: number): SimulationOptions['latency'] => ({
    ...latency,
    entryMs: Math.min(60_000, latency.entryMs * factor),
    responseMs: Math.min(60_000, latency.responseMs * factor),
  });
  const dearer = (factor: number): SimulationOptions['fees'] => ({
    maker: scaled(fees.maker, factor),
    taker: scaled(fees.taker, factor),
  });
  const averse = simulationOptions.parse({ queue: 'risk-averse' }).queue;
  const bursts: SimulationOptions['latency'] = { ...latency, model: 'lognormal', sigma: 1, correlation: 0.95 };
  const funding = { ...base.perpetuals, fundingRate: base.perpetuals.fundingRate ?? FUNDING_RATE };
  return [
    {
      name: 'latency × 2',
      change: 'orders and answers take twice as long',
      simulation: { ...base, latency: slower(2) },
    },
    {
      name: 'latency × 5',
      change: 'orders and answers take five times as long',
      simulation: { ...base, latency: slower(5) },
    },
    {
      name: 'latency bursts',
      change: 'lognormal with σ 1 and correlation 0.95',
      simulation: { ...base, latency: bursts },
    },
    {
      name: 'back of the queue',
      change: 'no cancel ahead of us ever helps (risk-averse)',
      simulation: { ...base, queue: averse },
    },
    { name: 'fees × 1.5', change: 'maker and taker', simulation: { ...base, fees: dearer(1.5) } },
    ...(hasPerpetuals
      ? [
          {
            name: 'funding',
            change: `${funding.fundingRate} at each settlement`,
            simulation: { ...base, perpetuals: funding },
          },
        ]
      : []),
    {
      name: 'outage',
      change: `the venue refuses every command for ${forMs / 1000} s, every ${everyMs / 1000} s on average`,
      simulation: { ...base, stress: outages },
    },
    {
      name: 'all at once',
      change: `latency × 2, back of the queue, fees × 1.5, outages${hasPerpetuals ? ', funding' : ''}`,
      simulation: {
        ...base,
        latency: slower(2),
        queue: averse,
        fees: dearer(1.5),
        stress: outages,
        ...(hasPerpetuals ? { perpetuals: funding } : {}),
      },
    },
  ];
}

/** A fee that is a rebate becomes a smaller one. */
function scaled(rate: string, factor: number): string {
  const value = Number(rate);
  return (value >= 0 ? value * factor : value / factor).toFixed(12).replace(/\.?0+$/, '');
}
