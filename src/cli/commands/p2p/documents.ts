/**
 * P2P for `--json`: the interface's fields ("Advertisement", "Market", "Trade (P2P)") with canonical decimals and Unix
 * ms. Pure.
 */
import type { Advertisement, P2pMarket, P2pTrade, P2pUser } from '../../../model/funds/p2p.ts';

export function marketDocument(market: P2pMarket): object {
  const { ruleType, ask, bid, price } = market.rule;
  return {
    marketId: market.marketId,
    baseCurrencyId: market.base,
    quoteCurrencyId: market.quote,
    baseCurrencyPrecision: market.basePrecision,
    quoteCurrencyPrecision: market.quotePrecision,
    pricePrecision: market.pricePrecision,
    advertisementMaxCountSell: market.activeSellMax,
    advertisementMaxCountBuy: market.activeBuyMax,
    advertisementMinAmount: market.advertisementMin,
    advertisementMaxAmount: market.advertisementMax,
    tradeMinAmount: market.tradeMin,
    tradeMaxAmount: market.tradeMax,
    tradeActiveMaxCount: market.activeTradesMax,
    marketPriceValidationRule: { ruleType, params: { ask, bid, ...(price === null ? {} : { price }) } },
  };
}

export function userDocument({ userId, username, tradesCount }: P2pUser): object {
  return { id: userId, username, tradesCount };
}

export function tradeDocument(trade: P2pTrade): object {
  const { tradeId, volumeCurrency, amountCurrency, ...rest } = trade;
  return { id: tradeId, ...rest, volumeCurrencyId: volumeCurrency, amountCurrencyId: amountCurrency };
}

/** `trades`: only in the detail. */
export function advertisementDocument({ advertisementId, maker, market, trades, ...rest }: Advertisement): object {
  return {
    id: advertisementId,
    ...rest,
    user: userDocument(maker),
    market: marketDocument(market),
    ...(trades.length === 0 ? {} : { trades: trades.map(tradeDocument) }),
  };
}
