/** Answers about orders, trades and positions. */
import { z } from 'zod';
import type { ClosedPosition } from '../../../exchange/wire/positions.ts';
import type { VenuePosition } from '../../../model/trading/account.ts';
import type { VenueFill } from '../../../model/trading/fill.ts';
import type { OrderReport } from '../../../model/trading/order.ts';
import { decimal, market, orderTerms, positionSide, side, timeMs } from '../../schemas/common.ts';

export const order: z.ZodType<OrderReport> = z.object({
  orderId: z.string(),
  clientOrderId: z.string().optional(),
  market,
  ...orderTerms,
  status: z.enum(['new', 'partially_filled', 'filled', 'canceled', 'rejected', 'expired']),
  positionSide: positionSide.optional(),
  reduceOnly: z.boolean().optional(),
  reason: z.string().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});

export const trade: z.ZodType<VenueFill> = z.object({
  tradeId: z.string(),
  orderId: z.string(),
  symbol: z.string(),
  market,
  side,
  price: decimal,
  quantity: decimal,
  fee: decimal.describe('Negative: a rebate'),
  feeCurrency: z.string(),
  liquidity: z.enum(['maker', 'taker']),
  positionSide: positionSide.optional(),
  realizedPnl: decimal.optional(),
  ts: timeMs,
});

const held = {
  symbol: z.string(),
  positionSide,
  quantity: decimal.describe('Signed in one-way mode'),
  entryPrice: decimal,
  markPrice: decimal,
  leverage: decimal,
  marginType: z.enum(['isolated', 'cross']),
  margin: decimal,
  liquidationPrice: decimal.nullable(),
  unrealizedPnl: decimal,
  realizedPnl: decimal,
  updatedAt: timeMs,
};

export const position: z.ZodType<VenuePosition> = z.object(held);

export const closedPosition: z.ZodType<ClosedPosition> = z.object({
  ...held,
  quantity: decimal.describe('The most that was held, signed as while open'),
  closePrice: decimal.describe('Average'),
  openedAt: timeMs,
  closedAt: timeMs,
  fees: decimal.describe('Positive: paid'),
  funding: decimal.describe('Positive: received'),
});
