/**
 * One P2P advertisement and its wire form (interface, "Advertisement (P2P)"). `side` is the maker's: `sell` sells base.
 * `available` is what nobody has answered yet; a canceled trade gives its part back, unless the amount was changed since.
 */
import type { AdvertisementStatus } from '../../../exchange/interface/states.ts';
import type { Decimal } from '../../../model/money.ts';
import type { User } from '../users.ts';
import { p2pMarketBody, paymentMethods, type P2pMarket } from './markets.ts';
import type { Reputation } from './reputation.ts';
import { p2pTradeBody, type P2pTrade } from './trade.ts';

export type P2pSide = 'buy' | 'sell';

/** What a maker may choose, and change while the advertisement is deactivated. */
export interface AdvertisementTerms {
  readonly price: Decimal;
  /** Of base. */
  readonly amount: Decimal;
  /** Of one deal, in quote. */
  readonly minLimit: Decimal;
  readonly maxLimit: Decimal;
  readonly paymentMethodIds: readonly string[];
  readonly comment: string;
}

export interface Advertisement {
  readonly advertisementId: string;
  readonly idNumber: string;
  readonly maker: User;
  readonly market: P2pMarket;
  readonly side: P2pSide;
  readonly createdAt: number;
  readonly trades: P2pTrade[];
  terms: AdvertisementTerms;
  available: Decimal;
  /** How often the amount was set: a trade of an earlier one has no part of it. */
  offers: number;
  status: AdvertisementStatus;
  updatedAt: number;
}

/** The documented detail object. */
export function advertisementBody(advertisement: Advertisement, reputation: Reputation): object {
  return { ...advertisementSummary(advertisement, reputation), trades: advertisement.trades.map(p2pTradeBody) };
}

/** The same without its trades, for the public list. */
export function advertisementSummary(advertisement: Advertisement, reputation: Reputation): object {
  const { advertisementId, idNumber, maker, market, side, status, terms, available } = advertisement;
  return {
    id: advertisementId,
    idNumber,
    availableAmount: available.toNumber(),
    maxLimit: terms.maxLimit.toNumber(),
    minLimit: terms.minLimit.toNumber(),
    price: terms.price.toNumber(),
    quote: market.quote.currency,
    base: market.base.currency,
    user: { ...reputation.body(maker), role: 'maker' },
    side,
    paymentMethods: paymentMethods
      .filter(({ id }) => terms.paymentMethodIds.includes(id))
      .map((method) => ({ ...method, deletedAt: null })),
    difference: '0',
    createdAt: new Date(advertisement.createdAt).toISOString(),
    comment: terms.comment,
    status,
    market: p2pMarketBody(market),
    updatedAt: new Date(advertisement.updatedAt).toISOString(),
  };
}
