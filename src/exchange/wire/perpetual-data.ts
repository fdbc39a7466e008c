/**
 * Public data of perpetuals on the wire: risk tiers, funding rate with its history, mark and index price (wire profile,
 * "assumed operations"). Rates and prices stay canonical text: they decide about money.
 */
import { z } from 'zod';
import { amount, decimal, displayNumber, positiveDecimal, symbol, time } from './scalars.ts';

/** Holds from the previous tier's `maxNotional` (exclusive) to its own (inclusive). */
export interface RiskTier {
  readonly tier: number;
  /** Quote units of a position. */
  readonly maxNotional: string;
  readonly maxLeverage: number;
  /** A fraction of the notional. */
  readonly maintenanceMarginRate: string;
}

export const riskTierSchema: z.ZodType<RiskTier> = z.object({
  tier: displayNumber,
  maxNotional: positiveDecimal,
  maxLeverage: displayNumber,
  maintenanceMarginRate: amount,
});

/** One settlement: a fraction of the notional, paid by longs when positive. */
export interface FundingSettlement {
  readonly rate: string;
  /** Unix ms. */
  readonly ts: number;
}

export interface FundingRates {
  readonly symbol: string;
  /** What the running interval would settle at. */
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
