/** The `simulation` section of the configuration (docs/config.md). */
import { z } from 'zod';
import { p2pOptions } from './money/p2p-markets.ts';
import { perpetualOptions } from './money/perpetual-options.ts';
import { rate } from './rate.ts';
import { stressOptions } from './stress/options.ts';

const milliseconds = z.number().min(0).max(60_000);

const latencyPair = z.strictObject({
  ts: z.number().describe('When the request left, Unix ms'),
  entryMs: milliseconds,
  responseMs: milliseconds,
});

const latencyOptions = z.strictObject({
  model: z
    .enum(['constant', 'lognormal', 'measured', 'feed'])
    .default('constant')
    .describe(
      'constant: always the given values; lognormal: the given values are medians, with AR(1) bursts; measured: those of a session; feed: multiples of the feed latency then',
    ),
  entryMs: milliseconds.default(25).describe('From the strategy to the venue'),
  responseMs: milliseconds.default(25).describe('From the venue back to the strategy'),
  baseMs: milliseconds.default(1).describe('Feed latency of data that has one time only (rule T1)'),
  sigma: z.number().min(0).max(3).default(0.5).describe('lognormal: standard deviation of the logarithm'),
  correlation: z.number().min(0).max(0.999).default(0.8).describe('lognormal: correlation of one draw with the next'),
  session: z
    .string()
    .min(1)
    .optional()
    .describe('measured: the session, by id or folder, whose journal holds the requests and their answers'),
  pairs: z
    .array(latencyPair)
    .max(1_000_000)
    .optional()
    .describe('measured: the pairs themselves, in the order of their times, in place of a session'),
  feedFactor: z.number().min(0).max(1000).default(1).describe('feed: each way takes that many feed latencies'),
});

const probOptions = z.strictObject({
  model: z.literal('prob'),
  f: z.enum(['power', 'log']).default('power').describe('power: x^n; log: ln(1 + x)'),
  n: z.number().positive().max(10).default(3).describe('Exponent of power'),
  p: z
    .enum(['share', 'total', 'complement'])
    .default('share')
    .describe('share: f(b)/(f(b) + f(a)); total: f(b)/f(a + b); complement: 1 - f(a/(a + b))'),
});

const riskAverseOptions = z.strictObject({ model: z.literal('risk-averse') });
const lastOptions = z.strictObject({ model: z.literal('last') });

const queueOptions = z
  .union([z.enum(['prob', 'risk-averse', 'last']), probOptions, riskAverseOptions, lastOptions])
  .default('prob')
  .transform((queue) =>
    queue === 'prob' ? probOptions.parse({ model: 'prob' }) : typeof queue === 'string' ? { model: queue } : queue,
  );

export const simulationOptions = z
  .strictObject({
    mode: z
      .enum(['default', 'hft'])
      .default('default')
      .describe('hft: no-partial-fill with its known deviations, for comparison with hftbacktest'),
    exchange: z
      .enum(['partial-fill', 'no-partial-fill', 'l1', 'candles'])
      .default('partial-fill')
      .describe('How own orders fill (rule M7)'),
    latency: latencyOptions.prefault({}),
    queue: queueOptions.describe(
      'Where a decrease of the queue happens (rule M6); last: always behind all other orders, filled only through its price',
    ),
    fees: z.strictObject({ maker: rate.default('0.0002'), taker: rate.default('0.0005') }).prefault({}),
    nettingWindowMs: milliseconds.default(100).describe('How long after a decrease a print may explain it (rule M6)'),
    watermarkMs: milliseconds.default(250).describe('Paper: how long a command waits for a later market event (T6)'),
    perpetuals: perpetualOptions.describe('How the account holds perpetuals (rule A3)'),
    p2p: p2pOptions,
    stress: stressOptions,
    participation: z.number().positive().max(1).default(0.1).describe('candles: greatest share of a volume (rule M7)'),
    slippageBps: z
      .number()
      .min(0)
      .max(1000)
      .default(1)
      .describe('candles: how much worse than the open a market order fills (rule M7)'),
  })
  .prefault({});

export type SimulationOptions = z.output<typeof simulationOptions>;
export type QueueOptions = SimulationOptions['queue'];
export type LatencyOptions = SimulationOptions['latency'];
export type LatencyPair = NonNullable<LatencyOptions['pairs']>[number];
