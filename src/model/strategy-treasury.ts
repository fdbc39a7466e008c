/**
 * A strategy's window on the money beside its orders: balances of every account, and P2P. States now, and changes each
 * once, in order. Made by the executor, shown by the strategy room as Observables.
 */
import type { Balance } from './account.ts';
import type { Advertisement, P2pMarket, P2pMarketView, P2pTrade } from './p2p.ts';

export type TreasuryChange =
  | { readonly kind: 'account'; readonly balance: Balance }
  | { readonly kind: 'advertisement'; readonly advertisement: Advertisement }
  | { readonly kind: 'p2pTrade'; readonly trade: P2pTrade }
  | { readonly kind: 'p2pMarket'; readonly market: P2pMarket };

export interface StrategyTreasury {
  /** Every currency of every account, the trading account too. */
  accounts(): readonly Balance[];
  p2pMarkets(): readonly P2pMarket[];
  /** The pair with its price bounds now; undefined while it is not known. */
  p2pMarket(marketId: string): P2pMarketView | undefined;
  /** Of the user, whoever made them. */
  advertisements(): readonly Advertisement[];
  p2pTrades(): readonly P2pTrade[];
  /** The P2P user of the account; undefined while it is not known. */
  p2pUserId(): string | undefined;
  /** What stands under a ref of this strategy, or stood last. */
  advertisementOf(ref: string): Advertisement | undefined;
  /** Returns the unsubscribe function. */
  listen(listener: (change: TreasuryChange) => void): () => void;
}

/** Where there is no P2P: nothing is known of it. */
export const noP2p: Omit<StrategyTreasury, 'accounts' | 'listen'> = Object.freeze({
  p2pMarkets: () => [],
  p2pMarket: () => undefined,
  advertisements: () => [],
  p2pTrades: () => [],
  p2pUserId: () => undefined,
  advertisementOf: () => undefined,
});
