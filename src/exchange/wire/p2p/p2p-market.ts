/** P2P pairs (interface, "Market (trading-pair specification)"). Reads both spellings of active counts. */
import { z } from 'zod';
import type { P2pMarket, P2pPriceRule } from '../../../model/funds/p2p.ts';
import { amount, displayNumber, id, optionalPrice, optionalText, positiveDecimal, text } from '../scalars.ts';

/** Object, or first array element. */
export function oneOrFirst<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value) => (Array.isArray(value) ? (value as readonly unknown[])[0] : value), schema);
}

const count = displayNumber.refine((value) => Number.isInteger(value) && value >= 0, 'expected a count');

const rule = oneOrFirst(
  z.object({
    ruleType: text,
    params: oneOrFirst(z.object({ ask: amount, bid: amount, price: optionalPrice })),
    description: optionalText,
  }),
).transform(({ ruleType, params }): P2pPriceRule => ({ ruleType, ...params }));

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const {
    advertisementMaxCountActiveSell: sell,
    advertisementMaxCountActiveBuy: buy,
    ...rest
  } = value as Readonly<Record<string, unknown>>;
  return { advertisementMaxCountSell: sell, advertisementMaxCountBuy: buy, ...rest };
}

const row = z.object({
  marketId: id,
  baseCurrencyId: text,
  quoteCurrencyId: text,
  baseCurrencyPrecision: count,
  quoteCurrencyPrecision: count,
  pricePrecision: count,
  advertisementMaxCountSell: count,
  advertisementMaxCountBuy: count,
  advertisementMinAmount: amount,
  advertisementMaxAmount: positiveDecimal,
  tradeMinAmount: amount,
  tradeMaxAmount: positiveDecimal,
  tradeActiveMaxCount: count,
  marketPriceValidationRule: rule,
});

export const p2pMarketSchema: z.ZodType<P2pMarket> = z.preprocess(renamed, row).transform((market) => ({
  marketId: market.marketId,
  base: market.baseCurrencyId,
  quote: market.quoteCurrencyId,
  basePrecision: market.baseCurrencyPrecision,
  quotePrecision: market.quoteCurrencyPrecision,
  pricePrecision: market.pricePrecision,
  activeSellMax: market.advertisementMaxCountSell,
  activeBuyMax: market.advertisementMaxCountBuy,
  advertisementMin: market.advertisementMinAmount,
  advertisementMax: market.advertisementMaxAmount,
  tradeMin: market.tradeMinAmount,
  tradeMax: market.tradeMaxAmount,
  activeTradesMax: market.tradeActiveMaxCount,
  rule: market.marketPriceValidationRule,
}));
