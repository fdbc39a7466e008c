/** Answers about markets. */
import { z } from 'zod';
import type { FundingRates, MarkPrices, RiskTier } from '../../../exchange/wire/market/perpetual-data.ts';
import type { CandleRow } from '../../../exchange/wire/market/market-data.ts';
import type { InstrumentSpec } from '../../../model/market/instrument.ts';
import type { Ticker } from '../../../model/market/views.ts';
import { decimal, market, timeMs } from '../../schemas/common.ts';

export const instrument: z.ZodType<InstrumentSpec> = z.object({
  symbol: z.string(),
  market,
  base: z.string(),
  quote: z.string(),
  tickSize: decimal,
  lotSize: decimal,
  minQuantity: decimal,
  maxQuantity: decimal,
  minNotional: decimal.describe('Price × quantity, quote units'),
  status: z.enum(['trading', 'halted']),
  settle: z.string().optional().describe('This and what follows: perpetuals only'),
  contractSize: decimal.optional(),
  maxLeverage: z.number().optional(),
  fundingIntervalHours: z.number().optional(),
  maintenanceMarginRate: decimal.optional(),
});

export const ticker: z.ZodType<Ticker> = z.object({
  symbol: z.string(),
  ts: timeMs,
  last: z.number(),
  bid: z.number(),
  ask: z.number(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  volume: z.number(),
  quoteVolume: z.number(),
});

export const candle: z.ZodType<CandleRow> = z.object({
  openTime: timeMs,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number().describe('Base units'),
  closed: z.boolean(),
});

const level = z.tuple([decimal, decimal]).describe('Price and quantity');

export const snapshot = z.object({
  symbol: z.string(),
  ts: timeMs,
  lastId: z.number().describe('Of the last update that it holds'),
  bids: z.array(level).describe('The best first'),
  asks: z.array(level).describe('The best first'),
});

export const serverTime = z.object({ serverTime: timeMs });

export const riskTier: z.ZodType<RiskTier> = z.object({
  tier: z.number(),
  maxNotional: decimal.describe('Inclusive, quote units; from that of the tier before'),
  maxLeverage: z.number(),
  maintenanceMarginRate: decimal.describe('Fraction of the notional'),
});

export const fundingRates: z.ZodType<FundingRates> = z.object({
  symbol: z.string(),
  rate: decimal.describe('Of the running interval, fraction of the notional; longs pay when positive'),
  nextFundingTime: timeMs,
  history: z.array(z.object({ rate: decimal, ts: timeMs })).describe('Newest first'),
});

export const markPrices: z.ZodType<MarkPrices> = z.object({
  symbol: z.string(),
  markPrice: decimal,
  indexPrice: decimal,
  ts: timeMs,
});

export type Snapshot = z.infer<typeof snapshot>;
