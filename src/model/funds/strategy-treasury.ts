/** A strategy's view of all accounts and P2P. */
import type { Balance } from '../trading/account.ts';
import type { Advertisement, P2pMarket, P2pMarketView, P2pTrade } from './p2p.ts';

export type TreasuryChange =
  | { readonly kind: 'account'; readonly balance: Balance }
  | { readonly kind: 'advertisement'; readonly advertisement: Advertisement }
  | { readonly kind: 'p2pTrade'; readonly trade: P2pTrade }
  | { readonly kind: 'p2pMarket'; readonly market: P2pMarket };

export interface StrategyTreasury {
  /** Includes the trading account. */
  accounts(): readonly Balance[];
  p2pMarkets(): readonly P2pMarket[];
  /** Undefined while unknown. */
  p2pMarket(marketId: string): P2pMarketView | undefined;
  /** Of any origin. */
  advertisements(): readonly Advertisement[];
  p2pTrades(): readonly P2pTrade[];
  /** Undefined while unknown. */
  p2pUserId(): string | undefined;
  /** Current or last of this strategy's ref. */
  advertisementOf(ref: string): Advertisement | undefined;
  /** Returns the unsubscribe function. */
  listen(listener: (change: TreasuryChange) => void): () => void;
}

export const noP2p: Omit<StrategyTreasury, 'accounts' | 'listen'> = Object.freeze({
  p2pMarkets: () => [],
  p2pMarket: () => undefined,
  advertisements: () => [],
  p2pTrades: () => [],
  p2pUserId: () => undefined,
  advertisementOf: () => undefined,
});
