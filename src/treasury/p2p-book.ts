/**
 * P2P pairs, own advertisements and own trades, from pushes and polls. Pure. An older report never replaces a newer
 * one. Beyond a bound the oldest ended row is dropped.
 */
import { canonicalJson } from '../model/text/canonical.ts';
import { decimalText } from '../model/numbers/money.ts';
import { priceBounds, priceRuleOf, type PriceBounds, type SpreadOf } from '../model/funds/p2p-price-rule.ts';
import type { Advertisement, P2pMarket, P2pMarketView, P2pTrade } from '../model/funds/p2p.ts';
import type { TreasuryChange } from '../model/funds/strategy-treasury.ts';

const ENDED_MAX = 500;

const ended: ReadonlySet<string> = new Set(['canceled', 'completed', 'complete', 'cancel']);

export class P2pBook {
  readonly markets = new Map<string, P2pMarket>();
  readonly advertisements = new Map<string, Advertisement>();
  readonly trades = new Map<string, P2pTrade>();
  userId: string | undefined;
  /** All own advertisements were reported, so a missing one does not exist. */
  known = false;

  /** False when nothing changed. */
  hear(change: Exclude<TreasuryChange, { readonly kind: 'account' }>): boolean {
    switch (change.kind) {
      case 'p2pMarket':
        return put(this.markets, change.market.marketId, change.market);
      case 'p2pTrade':
        return put(this.trades, change.trade.tradeId, change.trade);
      case 'advertisement': {
        const { advertisement: row } = change;
        // Trades have their own streams and are missing in some reports.
        return put(this.advertisements, row.advertisementId, row, (each) => ({ ...each, trades: [], market: null }));
      }
    }
  }

  /** Includes the current price bounds; undefined for an unknown pair. */
  view(marketId: string, spreadOf: SpreadOf): P2pMarketView | undefined {
    const market = this.markets.get(marketId);
    if (market === undefined) return undefined;
    const bounds = boundsOf(market, spreadOf);
    const places = market.pricePrecision;
    return Object.freeze({
      market,
      low: bounds && decimalText(bounds.low.toDecimalPlaces(places, 'up')),
      high: bounds && decimalText(bounds.high.toDecimalPlaces(places, 'down')),
    });
  }

  activeCount(side: 'buy' | 'sell', marketId: string): number {
    const isOne = (row: Advertisement): boolean =>
      row.status === 'active' && row.side === side && row.market.marketId === marketId;
    return [...this.advertisements.values()].filter(isOne).length;
  }
}

export function boundsOf(market: P2pMarket, spreadOf: SpreadOf): PriceBounds | null {
  const rule = priceRuleOf(market);
  return rule === null ? null : priceBounds(rule, spreadOf);
}

export function sameMethods(ids: readonly string[], row: Advertisement): boolean {
  const shown = row.paymentMethods.map(({ id }) => id).toSorted();
  return shown.join() === ids.toSorted().join();
}

interface Dated {
  readonly status?: string;
  readonly updatedAt?: number;
}

function put<T extends object & Dated>(
  rows: Map<string, T>,
  id: string,
  row: T,
  plain: (row: T) => object = (each) => each,
): boolean {
  const before = rows.get(id);
  if (before !== undefined) {
    if ((before.updatedAt ?? 0) > (row.updatedAt ?? 0)) return false;
    if (canonicalJson(plain(before)) === canonicalJson(plain(row))) return false;
  }
  rows.set(id, Object.freeze(row));
  if (rows.size <= ENDED_MAX) return true;
  for (const [old, { status = '' }] of rows) {
    if (!ended.has(status)) continue;
    rows.delete(old);
    break;
  }
  return true;
}
