/**
 * A P2P advertisement and its wire form. `side` is the maker's: `sell` sells base. A cancelled trade restores its part
 * of `available`, unless the amount changed since.
 */
import type { P2pTradeStatus } from '../../../exchange/interface/states.ts';
import type { Cancel } from '../../../model/ports.ts';
import type { AdvertisementStatus } from '../../../exchange/interface/states.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import type { User } from '../identity/users.ts';
import { p2pMarketBody, paymentMethods, type P2pMarket } from './markets.ts';
import type { Reputation } from './reputation.ts';

export type P2pSide = 'buy' | 'sell';

export interface AdvertisementTerms {
  readonly price: Decimal;
  /** Base. */
  readonly amount: Decimal;
  /** Quote per deal. */
  readonly minLimit: Decimal;
  readonly maxLimit: Decimal;
  readonly paymentMethodIds: readonly string[];
  readonly comment: string;
}

export interface P2pTrade {
  readonly tradeId: string;
  readonly idNumber: string;
  readonly advertisement: Advertisement;
  /** `offers` at the response. */
  readonly offer: number;
  readonly taker: User;
  readonly buyer: User;
  readonly seller: User;
  readonly base: Decimal;
  readonly quote: Decimal;
  /** At the response. */
  readonly price: Decimal;
  readonly paymentMethodId: string;
  readonly createdAt: number;
  status: P2pTradeStatus;
  updatedAt: number;
  /** Cancels the next clock step. */
  cancelStep: Cancel;
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
  /** Counts settings of the amount; trades of earlier ones restore nothing. */
  offers: number;
  status: AdvertisementStatus;
  updatedAt: number;
}

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
