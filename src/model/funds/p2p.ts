/**
 * P2P pairs, advertisements and trades (interface, "Advertisement", "Market", "Trade (P2P)"). Decimals are canonical
 * text.
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
  /** `anchor`, `spread`, or undocumented. */
  readonly ruleType: string;
  /** Percent. */
  readonly ask: string;
  readonly bid: string;
  /** `anchor` only. */
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
  /** Base units. */
  readonly advertisementMin: string;
  readonly advertisementMax: string;
  /** Quote units. */
  readonly tradeMin: string;
  readonly tradeMax: string;
  readonly activeTradesMax: number;
  readonly rule: P2pPriceRule;
}

export interface P2pUser {
  readonly userId: string;
  readonly username: string;
  /** Completed. */
  readonly tradesCount: number;
}

export interface PaymentMethod {
  readonly id: string;
  readonly name: string;
}

export interface P2pTrade {
  readonly tradeId: string;
  readonly idNumber: string;
  /** Taker receives. */
  readonly volume: string;
  readonly volumeCurrency: string;
  /** Taker sends. */
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
  /** `sell` sells base. */
  readonly side: 'buy' | 'sell';
  readonly status: AdvertisementStatus;
  readonly base: string;
  readonly quote: string;
  readonly price: string;
  /** Base units. */
  readonly availableAmount: string;
  /** Quote per deal. */
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

/** Above zero: price in quote, amount in base, limits per deal in quote. */
export interface AdvertisementTerms {
  readonly price: string;
  readonly amount: string;
  readonly minLimit: string;
  readonly maxLimit: string;
  readonly paymentMethodIds: readonly string[];
  readonly comment?: string;
}

export interface P2pMarketView {
  readonly market: P2pMarket;
  /** Inclusive, on the grid; null without a reference. */
  readonly low: string | null;
  readonly high: string | null;
}
