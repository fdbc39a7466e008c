/** A session: its card in the fleet (`summary`), and all of it (`detail`). */
import { z } from 'zod';
import { decimal, estimate, market, seq, timeMs } from './common.ts';
import { balanceRow, orderRow, positionRow, programRow } from './orders.ts';

export const strategyState = z
  .enum(['running', 'paused', 'stopped', 'latched'])
  .describe('latched: a limit of losses or a failure stopped new risk until a human resumes it');

const strategyWord = z.object({ tag: z.string(), state: strategyState });

export const gateRow = z.object({
  gate: z.string(),
  symbol: z.string().describe('Empty: all symbols'),
  reason: z.string().nullable(),
  message: z.string(),
  since: timeMs.nullable(),
});

export const alarmRow = z.object({ seq, ts: timeMs, code: z.string(), message: z.string() });

/** Since 00:00 UTC, or since the first sample of the day that this server has seen. */
const today = z.object({
  since: timeMs,
  trading: z.number().describe('Result of own trading, reporting currency'),
  drift: z.number().describe('Change of the worth of what was held before'),
});

export const sessionSummary = z.object({
  id: z.string(),
  mode: z.enum(['paper', 'live']),
  state: z.enum(['killed', 'running', 'crashed', 'left', 'ended', 'unreadable']),
  running: z.boolean(),
  pid: z.int().nullable(),
  exchange: z.string(),
  account: z.string(),
  startedAt: timeMs,
  endedAt: timeMs.nullable().describe('Of one that died its last entry, or its last price; null: it runs'),
  strategies: z.array(strategyWord),
  currency: z.string().describe('Reporting currency'),
  equity: estimate,
  netPnl: estimate.describe('Result of own trading after fees and funding'),
  heldDrift: estimate.describe('Change of the worth of what was held at the start'),
  today: today.nullable(),
  spark: z.array(z.number()).describe('Equity, at most 120 points, oldest first'),
  positions: z.array(positionRow),
  openOrders: z.int(),
  fills: z.int(),
  unresolved: z.int().describe('Orders and money movements of unknown outcome'),
  killed: z.string().nullable().describe('Reason of the kill switch; null: it is off'),
  gates: z.array(gateRow).describe('Closed ones: no new risk while one is closed'),
  alarms: z.array(alarmRow).describe('The newest 20, newest last'),
  commandable: z.boolean().describe('Whether this server can bring commands to it'),
  error: z.string().nullable().describe('Why it, or its result, cannot be read; null: it can'),
  seq,
});

export const streamRow = z.object({
  name: z.string(),
  symbol: z.string().nullable(),
  state: z.enum(['fresh', 'stale', 'down', 'waiting']),
  ageMs: z.number().nullable().describe('Since its last message, of `account` an answer to a ping too; null: none yet'),
  staleAfterMs: z.number().nullable(),
  gaps: z.int().describe('Times that its data was missing, since the start of the process'),
});

export const limitRow = z.object({
  scope: z.string().describe('`account`, a symbol, or `strategy TAG`'),
  name: z.string(),
  path: z.string().describe('Name for `limits/override`'),
  value: decimal,
  configured: z.string().nullable().describe('Configured value under an override or a trial; else null'),
  used: decimal.nullable(),
  share: z.number().nullable().describe('`used` as a part of `value`'),
  overridable: z.boolean(),
});

const strategyDetail = strategyWord.extend({
  name: z.string(),
  file: z.string(),
  params: z.record(z.string(), z.unknown()),
  error: z.string().nullable(),
  paused: z.string().nullable().describe('Reason; null: not paused'),
  latched: z.string().nullable(),
  onTrial: z.boolean(),
  netPnl: estimate.describe('Result of this strategy, at the marks; null without prices'),
  fills: z.int().describe('Of the whole session'),
  counters: z
    .record(z.string(), z.number())
    .describe('`denied` is the sum of `denials`; `unsent` orders were withdrawn before they were sent'),
  denials: z.array(z.object({ reason: z.string(), count: z.int(), last: z.string() })),
});

export const symbolRow = z.object({
  symbol: z.string(),
  market,
  base: z.string(),
  quote: z.string(),
  tickSize: decimal,
  lotSize: decimal,
  bid: decimal.nullable(),
  ask: decimal.nullable(),
  mid: z.number().nullable(),
});

/** Milliseconds. `p50` and so on are null without samples. */
export const latencyRow = z.object({
  stage: z.string(),
  count: z.int(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  buckets: z.array(z.tuple([z.number(), z.int()])).describe('Upper bound in ms, count'),
});

export const sessionDetail = sessionSummary.extend({
  now: timeMs.describe('Session clock'),
  endsAt: timeMs.nullable(),
  boots: z.int(),
  seed: z.number(),
  path: z.string(),
  strategies: z.array(strategyDetail),
  symbols: z.array(symbolRow),
  orders: z.array(orderRow),
  programs: z.array(programRow).describe('Those that work'),
  unprotected: z.array(z.object({ strategy: z.string(), symbol: z.string(), quantity: decimal })),
  balances: z.array(balanceRow),
  halts: z.record(z.string(), z.string()).describe('Symbol to reason'),
  limits: z.array(limitRow),
  overrides: z.array(z.object({ limit: z.string(), value: z.string().nullable(), until: timeMs, reason: z.string() })),
  streams: z.array(streamRow),
  latency: z.array(latencyRow),
  fees: estimate,
  legs: z.array(z.object({ from: timeMs, to: timeMs, end: z.enum(['in order', 'unfinished', 'running']) })),
  liveAt: timeMs.nullable().describe('When the session last sent its live part; null: it does not run'),
});

export const sessionList = z.object({
  sessions: z.array(sessionSummary),
  current: z.string().nullable().describe('Id of the session of this process'),
});

export const health = z.object({
  ok: z.boolean(),
  version: z.string(),
  startedAt: timeMs,
  sessions: z.array(z.object({ id: z.string(), state: z.string(), unhealthy: z.string().nullable(), seq })),
  clients: z.int().describe('Open WebSockets'),
});

export type StrategyStateWord = z.infer<typeof strategyState>;
export type GateRow = z.infer<typeof gateRow>;
export type AlarmRow = z.infer<typeof alarmRow>;
export type StreamRow = z.infer<typeof streamRow>;
export type LimitRow = z.infer<typeof limitRow>;
export type LatencyRow = z.infer<typeof latencyRow>;
export type SessionSummary = z.infer<typeof sessionSummary>;
export type SessionDetail = z.infer<typeof sessionDetail>;
export type SessionList = z.infer<typeof sessionList>;
export type Health = z.infer<typeof health>;
