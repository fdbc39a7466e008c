/** P2P pairs and payment methods, and their wire form. Minimum and maximum amounts are assumed. */
import { limits } from '../../../exchange/interface/limits.ts';
import { P2P_PRICE_SCALE } from '../../../exchange/wire/p2p/p2p-scaled.ts';
import { dec, type Decimal } from '../../../model/numbers/money.ts';
import type { Assumed } from '../assumptions.ts';
import { currencies, type Currency } from '../market/instruments.ts';
import type { PaymentMethod } from '../../../model/funds/p2p.ts';
import type { PriceRule } from '../../../model/funds/p2p-price-rule.ts';

export interface P2pMarket {
  readonly marketId: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly pricePrecision: number;
  readonly rule: PriceRule;
  /** Base. */
  readonly advertisementMin: Decimal;
  readonly advertisementMax: Decimal;
  /** Quote. */
  readonly tradeMin: Decimal;
  readonly tradeMax: Decimal;
  /** Per user and side. */
  readonly deactivatedMax: number;
}

export const paymentMethods: readonly PaymentMethod[] = [
  { id: '1', name: 'Bank transfer' },
  { id: '2', name: 'Fast payment system' },
  { id: '3', name: 'Cash' },
];

/** Throws a `RangeError` for an unknown currency. */
export function p2pMarketsOf({ markets, deactivatedMax }: Assumed['p2p']): readonly P2pMarket[] {
  return markets.map(({ base, quote, rule, advertisementMin, advertisementMax, tradeMin, tradeMax }) => ({
    marketId: `${base}${quote}`,
    base: currencyOf(base),
    quote: currencyOf(quote),
    pricePrecision: P2P_PRICE_SCALE,
    rule,
    advertisementMin: dec(advertisementMin),
    advertisementMax: dec(advertisementMax),
    tradeMin: dec(tradeMin),
    tradeMax: dec(tradeMax),
    deactivatedMax,
  }));
}

function currencyOf(code: string): Currency {
  const currency = currencies.find((row) => row.currency === code);
  if (currency === undefined) throw new RangeError(`no currency ${code}`);
  return currency;
}

function currencyBody({ currency, isCoin, precision, title }: Currency): object {
  return { id: currency, isCoin, precision, title };
}

export function p2pMarketBody(market: P2pMarket): object {
  const { marketId, base, quote, rule } = market;
  const { kind, ask, bid } = rule;
  return {
    marketId,
    baseCurrencyId: base.currency,
    quoteCurrencyId: quote.currency,
    baseDicCurrencyId: base.currency,
    quoteDicCurrencyId: quote.currency,
    baseCurrencyPrecision: base.precision,
    baseCurrencyRound: 0,
    quoteCurrencyPrecision: quote.precision,
    quoteCurrencyRound: 0,
    // The document has both spellings.
    advertisementMaxCountSell: limits.activeAdvertisementsMax,
    advertisementMaxCountBuy: limits.activeAdvertisementsMax,
    advertisementMaxCountActiveSell: limits.activeAdvertisementsMax,
    advertisementMaxCountActiveBuy: limits.activeAdvertisementsMax,
    advertisementMaxCountDeactivatedSell: market.deactivatedMax,
    advertisementMaxCountDeactivatedBuy: market.deactivatedMax,
    advertisementMinAmount: market.advertisementMin.toNumber(),
    advertisementMaxAmount: market.advertisementMax.toNumber(),
    tradeMinAmount: market.tradeMin.toNumber(),
    tradeMaxAmount: market.tradeMax.toNumber(),
    tradeActiveMaxCount: limits.activeP2pTradesMax,
    pricePrecision: market.pricePrecision,
    quoteCurrency: currencyBody(quote),
    baseCurrency: currencyBody(base),
    marketPriceValidationRule: {
      marketsPriceValidationRuleId: marketId,
      marketId,
      ruleType: kind,
      params: rule.kind === 'anchor' ? { ask, bid, price: Number(rule.price) } : { ask, bid },
      description: rule.kind === 'anchor' ? 'percent around a fixed price' : 'percent around the spot spread',
      deletedAt: null,
    },
    deletedAt: null,
  };
}
