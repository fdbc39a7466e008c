/** Orders, programs and positions as the API shows them. */
import { z } from 'zod';
import { decimal, market, orderTerms, positionSide, side, timeMs } from './common.ts';

export const orderRow = z.object({
  ref: z.string(),
  strategy: z.string(),
  tag: z.string(),
  ...orderTerms,
  state: z.string().describe('pending, sending, unknown, open, partially_filled, canceling'),
  orderId: z.string().nullable().describe('Id of the exchange; null until it is known'),
  positionSide: positionSide.nullable(),
  reduceOnly: z.boolean(),
  postOnly: z.boolean(),
  parent: z.string().nullable().describe('Ref of the program whose order it is'),
  leg: z.string().nullable(),
  createdAt: timeMs,
});

export const fillRow = z.object({
  seq: z.int(),
  ts: timeMs,
  tradeId: z.string(),
  strategy: z.string(),
  ref: z.string().nullable(),
  symbol: z.string(),
  side,
  price: decimal,
  quantity: decimal,
  fee: decimal,
  feeCurrency: z.string(),
  liquidity: z.enum(['maker', 'taker']),
  mid: z.number().nullable().describe('Mid price when it was booked'),
});

export const programRow = z.object({
  ref: z.string(),
  kind: z.string(),
  strategy: z.string(),
  symbol: z.string(),
  state: z.enum(['working', 'done', 'canceled', 'failed']),
  reason: z.string().nullable(),
  quantity: decimal.nullable(),
  filled: decimal,
  averagePrice: decimal.nullable(),
  startedAt: timeMs,
  endedAt: timeMs.nullable(),
  children: z.array(z.string()).describe('Refs of its orders'),
  waitsFor: z.string().nullable(),
  next: z.object({ trigger: decimal.optional(), at: timeMs.optional() }),
});

export const positionRow = z.object({
  strategy: z.string(),
  symbol: z.string(),
  market,
  positionSide,
  quantity: decimal.describe('Signed, base units'),
  entryPrice: decimal.nullable(),
  realizedPnl: decimal.describe('Before fees and funding; quote or settlement currency'),
  funding: decimal.nullable(),
  quote: z.string().describe('Currency of its results'),
  markPrice: z.number().nullable().describe('Mid of spot, mark price of a perpetual'),
  value: z.number().nullable().describe('Signed, at the mark price, in `quote`'),
  unrealizedPnl: z.number().nullable().describe('In `quote`'),
});

export const balanceRow = z.object({
  account: z.string(),
  currency: z.string(),
  available: decimal,
  locked: decimal,
  total: decimal,
});

export type OrderRow = z.infer<typeof orderRow>;
export type FillRow = z.infer<typeof fillRow>;
export type ProgramRow = z.infer<typeof programRow>;
export type PositionRow = z.infer<typeof positionRow>;
export type BalanceRow = z.infer<typeof balanceRow>;
