/**
 * Balances of all accounts, own P2P advertisements and trades, and price bounds as Observables. Current states on subscribe, then changes.
 */
import { EMPTY, Observable, distinctUntilChanged, filter, map, merge, startWith, switchMap } from 'rxjs';
import type { Balance } from '../model/trading/account.ts';
import { priceRuleOf } from '../model/funds/p2p-price-rule.ts';
import type { Advertisement, P2pMarketView, P2pTrade } from '../model/funds/p2p.ts';
import type { StrategyTreasury, TreasuryChange } from '../model/funds/strategy-treasury.ts';
import { currentThen } from './feeds/current-then.ts';

export interface TreasuryStreams {
  accounts(): Observable<Balance>;
  advertisements(): Observable<Advertisement>;
  trades(): Observable<P2pTrade>;
  market(marketId: string): Observable<P2pMarketView>;
}

/** `top` emits symbols whose best prices moved. */
export function treasuryStreams(
  treasury: StrategyTreasury,
  top: (symbol: string) => Observable<unknown>,
): TreasuryStreams {
  const changes = new Observable<TreasuryChange>((subscriber) => treasury.listen((change) => subscriber.next(change)));
  const accounts = changes.pipe(
    filter((change) => change.kind === 'account'),
    map(({ balance }) => balance),
  );
  const advertisements = changes.pipe(
    filter((change) => change.kind === 'advertisement'),
    map(({ advertisement }) => advertisement),
  );
  const trades = changes.pipe(
    filter((change) => change.kind === 'p2pTrade'),
    map(({ trade }) => trade),
  );
  return Object.freeze({
    accounts: () => currentThen(() => treasury.accounts(), accounts),
    advertisements: () => currentThen(() => treasury.advertisements(), advertisements),
    trades: () => currentThen(() => treasury.p2pTrades(), trades),
    market: (marketId: string) => marketViews(treasury, changes, marketId, top),
  });
}

function marketViews(
  treasury: StrategyTreasury,
  changes: Observable<TreasuryChange>,
  marketId: string,
  top: (symbol: string) => Observable<unknown>,
): Observable<P2pMarketView> {
  const known = changes.pipe(filter((change) => change.kind === 'p2pMarket' && change.market.marketId === marketId));
  // Only a rule that follows the book needs `top`.
  const moves = known.pipe(
    startWith(undefined),
    switchMap(() => {
      const view = treasury.p2pMarket(marketId);
      const rule = view === undefined ? null : priceRuleOf(view.market);
      return rule?.kind === 'spread' ? top(rule.symbol) : EMPTY;
    }),
  );
  const views = (source: Observable<unknown>): Observable<P2pMarketView> =>
    source.pipe(
      map(() => treasury.p2pMarket(marketId)),
      filter((view) => view !== undefined),
    );
  const current = (): readonly P2pMarketView[] => {
    const view = treasury.p2pMarket(marketId);
    return view === undefined ? [] : [view];
  };
  return currentThen(current, merge(views(known), views(moves))).pipe(
    distinctUntilChanged((a, b) => a.market === b.market && a.low === b.low && a.high === b.high),
  );
}
