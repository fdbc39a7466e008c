/** The result file (`--result`). The schema requires what the report needs and allows other fields. */
import { z } from 'zod';
import type { Stats, StatsConventions, StatsReport } from '../../statistics/stats.ts';
import { sessionErrors } from '../errors.ts';
import type { DenialCount } from '../recorder/denial-counts.ts';
import type { RunHashes } from './run-hash.ts';

const time = z.number();
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'expected decimal text');
const mid = z.number().nullable();
const texts = z.record(z.string(), z.unknown());

const orderCounts = z.object({
  submitted: z.number(),
  accepted: z.number(),
  filled: z.number(),
  canceled: z.number(),
  denied: z.number(),
  rejected: z.number(),
  expired: z.number(),
  /** Spot sells reduced by one lot to the free balance. */
  shrunk: z.number().default(0),
});

const denials = z.object({ reason: z.string(), count: z.number(), last: z.string() });

const fill = z.object({
  ts: time,
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  price: decimal,
  quantity: decimal,
  fee: decimal,
  feeCurrency: z.string(),
  feeValue: decimal.optional(),
  quoteRate: decimal.optional(),
  liquidity: z.enum(['maker', 'taker']),
  positionSide: z.enum(['both', 'long', 'short']).optional(),
  orderRef: z.string(),
  tag: z.string(),
  strategy: z.string().optional(),
  mid,
  orderTs: time.optional(),
  arrivalMid: mid.optional(),
  midAfter: z.tuple([mid, mid, mid]).optional(),
  queueAhead: z.number().optional(),
});

const order = z.object({
  ref: z.string(),
  tag: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  timeInForce: z.string(),
  price: decimal.nullable(),
  quantity: decimal,
  filledQuantity: decimal,
  averagePrice: decimal.nullable(),
  state: z.string(),
  createdTs: time,
  updatedTs: time,
  /** Ref of the program whose order it is, and which of its orders. */
  parent: z.string().nullable().default(null),
  leg: z.string().nullable().default(null),
  reason: z.string().optional(),
});

const program = z.object({
  ref: z.string(),
  kind: z.string(),
  strategy: z.string(),
  symbol: z.string(),
  state: z.enum(['working', 'done', 'canceled', 'failed']),
  reason: z.string().nullable(),
  quantity: decimal.nullable(),
  filled: decimal,
  averagePrice: decimal.nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  children: z.array(z.string()),
});

const ledger = z.object({
  file: z.string(),
  /** This run included. */
  trials: z.number(),
  at: time,
});

/** Whether this run saw the data kept by `validate`, and how many trials have. */
const lockbox = z.object({ from: time, to: time, isSeen: z.boolean(), seenBy: z.number() });

const statValue = z.union([z.number(), z.null(), z.tuple([z.number(), z.number()])]);

/** Of a backtest of several strategies. */
const strategyResult = z.object({
  /** Its tag. */
  strategy: z.string(),
  name: z.string(),
  /** Of the capital at the start; null: not set. */
  share: z.number().nullable(),
  /** Reporting currency; returns are of it. */
  capital: z.number(),
  fills: z.number(),
  orders: orderCounts,
  stats: z.record(z.string(), statValue),
});

/** `strategy` where several run; `positionSide` in hedge mode. */
const position = z.object({
  strategy: z.string().optional(),
  symbol: z.string(),
  positionSide: z.enum(['long', 'short']).optional(),
  quantity: decimal,
  entryPrice: decimal.nullable(),
});

const note = z.object({ ts: time, text: z.string(), data: z.unknown().optional() });

const instrument = z.object({
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  market: z.enum(['spot', 'derivative']),
  tickSize: decimal.optional(),
  lotSize: decimal,
  contractSize: decimal.optional(),
  quoteRate: decimal.nullable().optional(),
});

const price = z.discriminatedUnion('kind', [
  /** Rows `[openTime, open, high, low, close, volume]`. */
  z.object({
    kind: z.literal('candles'),
    symbol: z.string(),
    intervalMs: z.number(),
    rows: z.array(z.tuple([time, z.number(), z.number(), z.number(), z.number(), z.number()])),
  }),
  /** Mid path `[[ts, mid]]`. */
  z.object({ kind: z.literal('line'), symbol: z.string(), points: z.array(z.tuple([time, z.number()])) }),
]);

const plotted = z.object({
  name: z.string(),
  pane: z.string().default('price'),
  tag: z.string().optional(),
  /** Absent: on every symbol's chart. */
  symbol: z.string().optional(),
  points: z.array(z.tuple([time, z.number()])),
});

const conventions = z.object({
  sampleMs: z.number(),
  samples: z.number(),
  periodsPerYear: z.number(),
  riskFreeRate: z.number(),
  minimumReturn: z.number(),
  annualised: z.boolean(),
});

export const resultSchema = z.object({
  command: z.enum(['backtest', 'paper', 'run']),
  strategy: z.string(),
  currency: z.string().default('USDT'),
  runHash: z.string().nullable().default(null),
  /** Inputs of the run hash. */
  hashes: z.object({ code: z.string(), data: z.string().nullable(), config: z.string() }).optional(),
  seed: z.number().nullable().default(null),
  params: texts.default({}),
  period: z.object({ from: time, to: time }),
  events: z
    .object({ total: z.number(), depth: z.number(), trades: z.number(), quotes: z.number() })
    .partial()
    .default({}),
  loadMs: z.number().default(0),
  wallMs: z.number().default(0),
  eventsPerSecond: z.number().default(0),
  orderCounts: orderCounts.optional(),
  denials: z.array(denials).default([]),
  stats: z.record(z.string(), statValue),
  conventions: conventions.optional(),
  assumptions: texts.default({}),
  warnings: z.array(z.string()).default([]),
  /** No figure of a run with failed strategies is a headline. */
  failures: z.array(z.object({ strategy: z.string(), message: z.string() })).default([]),
  files: z.record(z.string(), z.string().nullable()).default({}),
  equity: z.array(z.tuple([time, z.number()])).min(1),
  fills: z.array(fill),
  orders: z.array(order).default([]),
  programs: z.array(program).default([]),
  positions: z.array(position).default([]),
  /** Absent with one strategy, and outside backtests. */
  strategies: z.array(strategyResult).optional(),
  notes: z.array(note).default([]),
  instruments: z.array(instrument).default([]),
  /** Absent for live data, `--repeat`, an unusable ledger. */
  ledger: ledger.optional(),
  lockbox: lockbox.optional(),
  /** Reporting currency. Null when unknown; absent without lending. */
  overdraftInterest: z.number().nullable().optional(),
  /** Absent in a backtest. `unfinished`: it died, or left something in doubt. */
  legs: z.array(z.object({ from: time, to: time, end: z.enum(['in order', 'unfinished', 'running']) })).optional(),
  /** Worst and best unrealised result per FIFO-matched trade. */
  excursions: z.array(z.tuple([z.number(), z.number()]).nullable()).optional(),
  chart: z.object({ prices: z.array(price), series: z.array(plotted).optional() }).optional(),
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type ResultDocument = DeepReadonly<z.infer<typeof resultSchema>>;

export type OrderCounts = DeepReadonly<z.infer<typeof orderCounts>>;
export type ResultFill = DeepReadonly<z.infer<typeof fill>>;
export type ResultOrder = DeepReadonly<z.infer<typeof order>>;
export type ResultProgram = DeepReadonly<z.infer<typeof program>>;
export type ResultPosition = DeepReadonly<z.infer<typeof position>>;
export type ResultNote = DeepReadonly<z.infer<typeof note>>;
export type ResultInstrument = DeepReadonly<z.infer<typeof instrument>>;
export type CountedIn = DeepReadonly<z.infer<typeof ledger>>;
export type ChartPrices = DeepReadonly<z.infer<typeof price>>;
export type ChartSeries = DeepReadonly<z.infer<typeof plotted>>;

export interface StrategyResult extends Omit<DeepReadonly<z.infer<typeof strategyResult>>, 'stats'> {
  readonly stats: Stats;
}

export interface BacktestResult {
  readonly command: 'backtest' | 'paper' | 'run';
  readonly strategy: string;
  readonly currency: string;
  readonly runHash: string | null;
  readonly hashes: RunHashes;
  readonly seed: number | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly period: { readonly from: number; readonly to: number };
  readonly events: {
    readonly total: number;
    readonly depth: number;
    readonly trades: number;
    readonly quotes: number;
  };
  readonly loadMs: number;
  readonly wallMs: number;
  readonly eventsPerSecond: number;
  readonly orderCounts: OrderCounts;
  readonly denials: readonly DenialCount[];
  readonly stats: Stats;
  readonly conventions: StatsConventions;
  readonly assumptions: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly failures: ResultDocument['failures'];
  readonly files: { readonly report: string | null; readonly result: string | null };
  readonly legs?: ResultDocument['legs'];
  readonly equity: readonly (readonly [ts: number, equity: number])[];
  readonly fills: readonly ResultFill[];
  readonly orders: readonly ResultOrder[];
  readonly programs: readonly ResultProgram[];
  readonly positions: readonly ResultPosition[];
  readonly strategies?: readonly StrategyResult[];
  readonly notes: readonly ResultNote[];
  readonly instruments: readonly ResultInstrument[];
  readonly ledger?: CountedIn;
  readonly lockbox?: DeepReadonly<z.infer<typeof lockbox>>;
  readonly overdraftInterest?: number | null;
  readonly excursions: StatsReport['excursions'];
  readonly chart?: { readonly prices: readonly ChartPrices[]; readonly series?: readonly ChartSeries[] };
}

/** The `--json` document. */
export type BacktestSummary = Omit<
  BacktestResult,
  | 'currency'
  | 'hashes'
  | 'failures'
  | 'orderCounts'
  | 'denials'
  | 'conventions'
  | 'equity'
  | 'fills'
  | 'orders'
  | 'positions'
  | 'notes'
  | 'instruments'
  | 'ledger'
  | 'lockbox'
  | 'overdraftInterest'
  | 'excursions'
  | 'chart'
> & { readonly orders: OrderCounts; readonly fills: number };

export function summaryOf(result: BacktestResult): BacktestSummary {
  const { command, strategy, runHash, seed, params, period, events, loadMs, wallMs, eventsPerSecond } = result;
  const { orderCounts: orders, programs, strategies, stats, assumptions, warnings, files } = result;
  const head = { command, strategy, runHash, seed, params, period, events, loadMs, wallMs, eventsPerSecond };
  const each = strategies === undefined ? {} : { strategies };
  return { ...head, orders, programs, ...each, fills: result.fills.length, stats, assumptions, warnings, files };
}

/** @throws `result_invalid` */
export function readResult(text: string, path: string): ResultDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw sessionErrors.make('result_invalid', `${path} is not JSON: ${String(thrown)}`, { path }, thrown);
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`);
  throw sessionErrors.make('result_invalid', `${path} is not a result file: ${issues.join('; ')}`, { path, issues });
}
