/** Assumptions of the simulation, as plain data for the report (docs/simulation.md). */
import type { SimulationOptions } from './options.ts';
import type { StressOptions, StressSchedule } from './stress/options.ts';

export type SimulationAssumptions = ReturnType<typeof assumptionsOf>;

const DEFAULT_START = '100,000 of the quote currency and base worth 100,000 per spot symbol';

/** `start`: balances; empty: the defaults. `live`: on live data. */
export function assumptionsOf(options: SimulationOptions, start: Readonly<Record<string, string>>, live: boolean) {
  const { mode, exchange, latency, fees, nettingWindowMs, participation, slippageBps, watermarkMs } = options;
  const isOnBars = exchange === 'candles';
  return {
    mode,
    exchange: mode === 'hft' ? 'no-partial-fill' : exchange,
    /** Text, e.g. `prob, f = x^3, p = f(b)/(f(b) + f(a))`. */
    queue: queueText(options.queue),
    /** Measured pairs are given by their number. */
    latency: latencyFacts(latency),
    fees,
    nettingWindowMs: mode === 'hft' ? 0 : nettingWindowMs,
    participation: isOnBars ? participation : null,
    slippageBps: isOnBars ? slippageBps : null,
    bars: isOnBars ? BARS : null,
    watermarkMs: live ? watermarkMs : null,
    startBalances: Object.keys(start).length > 0 ? start : DEFAULT_START,
    stress: stressText(options.stress),
    perpetuals: perpetualsText(options.perpetuals),
    treasury: 'transfers between own accounts are exact; P2P advertisements stand without takers',
    impact: 'own takers consume the displayed book until the data refreshes it; nothing else reacts',
  } as const;
}

const BARS =
  'what is decided at a close trades at the next open at the earliest, market orders worse by the slippage; a limit order fills only when traded through; all together take at most the participation of the volume of a bar, and nothing of a bar without volume';

type LatencyFacts = Omit<SimulationOptions['latency'], 'pairs'> & { readonly pairs?: number };

function latencyFacts({ pairs, ...latency }: SimulationOptions['latency']): LatencyFacts {
  return pairs === undefined ? latency : { ...latency, pairs: pairs.length };
}

function perpetualsText(perpetuals: SimulationOptions['perpetuals']): string {
  const { mode, marginType, leverage, liquidationFee, fundingRate, tiers, symbols } = perpetuals;
  const own = Object.entries(symbols).map(
    ([symbol, terms]) =>
      `${symbol} ${terms.marginType ?? marginType}, leverage ${terms.leverage ?? leverage}` +
      `${terms.tiers === undefined ? '' : ', tiers of its own'}`,
  );
  return [
    `flat at the start, ${mode}, ${marginType}, leverage ${leverage}${own.length === 0 ? '' : ` (${own.join('; ')})`}`,
    `${tiers === undefined ? 'the maintenance margin rate of the instrument, else 0.005' : `${tiers.length} risk tiers`}`,
    'mark: the recorded one, else the mid',
    `liquidation at the bankruptcy price with a fee of ${liquidationFee}, open orders cancelled first`,
    `funding at the recorded times and rates${fundingRate === undefined ? '' : `, else ${fundingRate} each interval`}`,
  ].join('; ');
}

const SHARES = {
  share: 'f(b)/(f(b) + f(a))',
  total: 'f(b)/f(a + b)',
  complement: '1 - f(a/(a + b))',
} as const;

function queueText(queue: SimulationOptions['queue']): string {
  if (queue.model !== 'prob') return queue.model;
  return `prob, f = ${queue.f === 'log' ? 'ln(1 + x)' : `x^${queue.n}`}, p = ${SHARES[queue.p]}`;
}

function stressText({ outages, bursts, burstFactor, gaps, fees }: StressOptions): string | null {
  const parts = [
    ...scheduleText('outages', outages),
    ...scheduleText(`latency × ${burstFactor}`, bursts),
    ...scheduleText('stream gaps', gaps),
    ...fees.map(({ atMs, maker, taker }) => `fees ${maker}/${taker} from ${atMs / 1000} s on`),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function scheduleText(name: string, schedule: StressSchedule): readonly string[] {
  if (!Array.isArray(schedule)) {
    return [`${name} every ${schedule.everyMs / 1000} s for ${schedule.forMs / 1000} s on average`];
  }
  if (schedule.length === 0) return [];
  const shown = schedule.slice(0, 5).map(({ atMs, forMs }) => `${atMs / 1000}–${(atMs + forMs) / 1000} s`);
  return [`${name} at ${shown.join(', ')}${schedule.length > 5 ? ` and ${schedule.length - 5} more` : ''}`];
}
