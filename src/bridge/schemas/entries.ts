/** Journal entries, fills, the log, and what explains an order. */
import { z } from 'zod';
import { decimal, seq, timeMs } from './common.ts';
import { fillRow, orderRow, programRow } from './orders.ts';

/** `entry` holds the bytes of `journal export`; its fields, `kind` among them, stand beside `seq` and `ts` too. */
export const entryRow = z.looseObject({
  seq,
  ts: timeMs,
  kind: z.string(),
  entry: z.looseObject({ kind: z.string() }),
});

export const entryPage = z.object({
  entries: z.array(entryRow),
  next: seq.describe('Give it as `after` for the next page; the same as before when nothing is newer'),
});

export const fillPage = z.object({
  fills: z.array(fillRow).describe('Newest last'),
  next: seq.describe('Give it as `after` for those after these'),
});

export const logLine = z.object({
  ts: timeMs,
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  text: z.string(),
  strategy: z.string().nullable(),
  fields: z.record(z.string(), z.unknown()),
});

export const logPage = z.object({ lines: z.array(logLine).describe('Newest last') });

export const whyStep = z.object({
  kind: z
    .string()
    .describe('decision, program, intent, sending, answer, report, fill, cancel, closed, correction, alarm, note …'),
  seq,
  ts: timeMs,
  afterMs: z.number().describe('Since the step before'),
  text: z.string(),
});

const riskFigure = z.object({
  check: z.string(),
  whose: z.string(),
  value: z.number(),
  limit: z.number(),
});

const frame = z.object({ ts: timeMs, kind: z.string(), text: z.string() });

const market = z.object({
  bid: decimal.nullable(),
  bidQuantity: decimal.nullable(),
  ask: decimal.nullable(),
  askQuantity: decimal.nullable(),
  lastPrice: decimal.nullable(),
  ageMs: z.number().nullable().describe('Of the newest frame at the decision'),
  missing: z.string().nullable(),
  frames: z.array(frame),
});

const whyOrder = z.object({
  kind: z.literal('order'),
  session: z.string(),
  ref: z.string(),
  strategy: z.string(),
  symbol: z.string(),
  intentId: z.string(),
  clientOrderId: z.string(),
  orderId: z.string().nullable(),
  parent: z.string().nullable(),
  decidedAt: timeMs,
  lastAt: timeMs,
  order: orderRow.nullable(),
  steps: z.array(whyStep),
  risk: z.array(riskFigure),
  /** Exposure at the decision. */
  stood: z.object({
    position: decimal,
    workingBuys: decimal,
    workingSells: decimal,
    openOrders: z.int(),
    accountOpenOrders: z.int(),
    unresolved: z.int(),
    killed: z.string().nullable(),
  }),
  fees: z.record(z.string(), z.string()),
  durations: z.record(z.string(), z.number().nullable()).describe('ms'),
  market: market.nullable(),
  frames: z.array(frame).describe('Private frames of the order'),
  log: z.array(z.object({ ts: timeMs, level: z.number(), text: z.string() })),
  problems: z.array(z.string()),
});

const whyProgram = z.object({
  kind: z.literal('program'),
  session: z.string(),
  program: programRow,
  parameters: z.unknown(),
  steps: z.array(whyStep),
  children: z.array(z.looseObject({ ref: z.string(), leg: z.string(), state: z.string() })),
});

const whyMovement = z.object({
  kind: z.literal('movement'),
  session: z.string(),
  intentId: z.string().describe('Of the newest attempt'),
  strategy: z.string().describe('Empty: a command of a human'),
  ref: z.string().nullable(),
  request: z.looseObject({ kind: z.string() }),
  state: z.string(),
  receiptId: z.string().nullable(),
  reason: z.string().nullable(),
  decidedAt: timeMs,
  lastAt: timeMs,
  steps: z.array(whyStep),
});

const whyDenied = z.object({
  kind: z.literal('denied'),
  session: z.string(),
  denials: z.array(
    z.object({
      seq,
      ts: timeMs,
      strategy: z.string(),
      action: z.string(),
      reason: z.string(),
      message: z.string(),
      symbol: z.string().nullable(),
      ref: z.string().nullable(),
      risk: z.array(riskFigure),
    }),
  ),
});

export const why = z.discriminatedUnion('kind', [whyOrder, whyProgram, whyMovement, whyDenied]);

export const whyNot = z.object({
  session: z.string(),
  symbol: z.string(),
  at: timeMs,
  because: z.array(z.string()).describe('Strongest reason first'),
});

export type EntryRow = z.infer<typeof entryRow>;
export type EntryPage = z.infer<typeof entryPage>;
export type FillPage = z.infer<typeof fillPage>;
export type LogLine = z.infer<typeof logLine>;
export type LogPage = z.infer<typeof logPage>;
export type Why = z.infer<typeof why>;
export type WhyNot = z.infer<typeof whyNot>;
