/**
 * The nouns of P2P: pairs with their price-bound rule, advertisements, trades (interface, "Advertisement", "Market",
 * "Trade (P2P)"). Decimals are canonical text; the scaled integers of the wire never come this far.
 */

export type AdvertisementStatus = 'active' | 'deactivated' | 'canceled' | 'completed';

export type P2pTradeStatus =
  | 'open:wait-confirm'
  | 'open'
  | 'send-payment-document'
  | 'dispute:open'
  | 'complete'
  | 'cancel';

export interface P2pPriceRule {
  /** `anchor`, `spread`, or one that is not documented. */
  readonly ruleType: string;
  /** Percent downward and upward. */
  readonly ask: string;
  readonly bid: string;
  /** Of `anchor`: what the percents are counted from. */
  readonly price: string | null;
}

export interface P2pMarket {
  readonly marketId: string;
  readonly base: string;
  readonly quote: string;
  readonly basePrecision: number;
  readonly quotePrecision: number;
  readonly pricePrecision: number;
  readonly activeSellMax: number;
  readonly activeBuyMax: number;
  /** Of base. */
  readonly advertisementMin: string;
  readonly advertisementMax: string;
  /** Of quote. */
  readonly tradeMin: string;
  readonly tradeMax: string;
  readonly activeTradesMax: number;
  readonly rule: P2pPriceRule;
}

export interface P2pUser {
  readonly userId: string;
  readonly username: string;
  /** Completed trades. */
  readonly tradesCount: number;
}

export interface PaymentMethod {
  readonly id: string;
  readonly name: string;
}

export interface P2pTrade {
  readonly tradeId: string;
  readonly idNumber: string;
  /** What the taker receives. */
  readonly volume: string;
  readonly volumeCurrency: string;
  /** What the taker sends. */
  readonly amount: string;
  readonly amountCurrency: string;
  readonly price: string;
  readonly status: P2pTradeStatus;
  readonly sellUserId: string;
  readonly buyUserId: string;
  readonly roomId: string;
  readonly advertisementId: string;
  readonly marketId: string;
  readonly paymentMethodId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Advertisement {
  readonly advertisementId: string;
  readonly idNumber: string;
  /** The maker's: `sell` sells base. */
  readonly side: 'buy' | 'sell';
  readonly status: AdvertisementStatus;
  readonly base: string;
  readonly quote: string;
  readonly price: string;
  /** Of base. */
  readonly availableAmount: string;
  /** Of one deal, in quote. */
  readonly minLimit: string;
  readonly maxLimit: string;
  readonly maker: P2pUser;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly comment: string | null;
  readonly market: P2pMarket;
  readonly trades: readonly P2pTrade[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Terms of an advertisement. Decimal texts above zero: price in quote, amount of base, limits of one deal in quote. */
export interface AdvertisementTerms {
  readonly price: string;
  readonly amount: string;
  readonly minLimit: string;
  readonly maxLimit: string;
  readonly paymentMethodIds: readonly string[];
  readonly comment?: string;
}

/** A pair with its price-bound rule evaluated now. */
export interface P2pMarketView {
  readonly market: P2pMarket;
  /** Both inclusive, on the grid of the pair's prices; null while there is nothing to measure from. */
  readonly low: string | null;
  readonly high: string | null;
}
