/** Canonical text, since these decide about money (assumed). */
import { z } from 'zod';
import { amount, decimal, displayNumber, positiveDecimal, symbol, time } from '../scalars.ts';

/** From the previous `maxNotional` (exclusive) to its own (inclusive). */
export interface RiskTier {
  readonly tier: number;
  /** Quote units. */
  readonly maxNotional: string;
  readonly maxLeverage: number;
  /** Fraction of the notional. */
  readonly maintenanceMarginRate: string;
}

export const riskTierSchema: z.ZodType<RiskTier> = z.object({
  tier: displayNumber,
  maxNotional: positiveDecimal,
  maxLeverage: displayNumber,
  maintenanceMarginRate: amount,
});

/** Fraction of the notional; longs pay when positive. */
export interface FundingSettlement {
  readonly rate: string;
  /** Unix ms. */
  readonly ts: number;
}

export interface FundingRates {
  readonly symbol: string;
  /** Of the running interval. */
  readonly rate: string;
  /** Unix ms. */
  readonly nextFundingTime: number;
  /** Newest first. */
  readonly history: readonly FundingSettlement[];
}

export const fundingRateSchema: z.ZodType<FundingRates> = z.object({
  symbol,
  rate: decimal,
  nextFundingTime: time,
  history: z.array(z.object({ rate: decimal, ts: time })).default([]),
});

export interface MarkPrices {
  readonly symbol: string;
  readonly markPrice: string;
  readonly indexPrice: string;
  /** Unix ms, exchange time. */
  readonly ts: number;
}

export const markPriceSchema: z.ZodType<MarkPrices> = z.object({
  symbol,
  markPrice: positiveDecimal,
  indexPrice: amount,
  ts: time,
});
