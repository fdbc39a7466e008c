/**
 * P2P pairs, own advertisements and trades, as pushed and polled. Pure. An older report never replaces a newer one;
 * beyond a bound the first known ended row is dropped.
 */
import type { PriceBounds, Spread } from '../model/p2p-price-rule.ts';
import { priceBounds, priceRuleOf } from '../model/p2p-price-rule.ts';
import type { Advertisement, P2pMarket, P2pMarketView, P2pTrade } from '../model/p2p.ts';
import { decimalText } from '../model/money.ts';
import { canonicalJson } from '../model/canonical.ts';

const ENDED_MAX = 500;

const ended: ReadonlySet<string> = new Set(['canceled', 'completed', 'complete', 'cancel']);

interface Dated {
  readonly status: string;
  readonly updatedAt: number;
}

export class P2pBook {
  readonly markets = new Map<string, P2pMarket>();
  readonly advertisements = new Map<string, Advertisement>();
  readonly trades = new Map<string, P2pTrade>();
  userId: string | undefined;
  /** All own advertisements have been told, so a missing one does not exist. */
  known = false;

  setMarket(market: P2pMarket): boolean {
    const isNews = canonicalJson(this.markets.get(market.marketId)) !== canonicalJson(market);
    if (isNews) this.markets.set(market.marketId, Object.freeze(market));
    return isNews;
  }

  setAdvertisement(row: Advertisement): boolean {
    // Trades have streams of their own and are missing in some reports.
    const plain = (advertisement: Advertisement | undefined): string =>
      canonicalJson(advertisement === undefined ? null : { ...advertisement, trades: [], market: null });
    return put(this.advertisements, row.advertisementId, row, plain);
  }

  setTrade(row: P2pTrade): boolean {
    return put(this.trades, row.tradeId, row, canonicalJson);
  }

  /** With its price bounds now; undefined for an unknown pair. */
  view(marketId: string, spreadOf: (symbol: string) => Spread | null): P2pMarketView | undefined {
    const market = this.markets.get(marketId);
    if (market === undefined) return undefined;
    const bounds = boundsOf(market, spreadOf);
    const places = market.pricePrecision;
    if (bounds === null) return Object.freeze({ market, low: null, high: null });
    return Object.freeze({
      market,
      low: decimalText(bounds.low.toDecimalPlaces(places, 'up')),
      high: decimalText(bounds.high.toDecimalPlaces(places, 'down')),
    });
  }
}

export function boundsOf(market: P2pMarket, spreadOf: (symbol: string) => Spread | null): PriceBounds | null {
  const rule = priceRuleOf(market);
  return rule === null ? null : priceBounds(rule, spreadOf);
}

function put<T extends Dated>(
  rows: Map<string, T>,
  id: string,
  row: T,
  plain: (row: T | undefined) => string,
): boolean {
  const before = rows.get(id);
  if (before !== undefined && before.updatedAt > row.updatedAt) return false;
  if (plain(before) === plain(row)) return false;
  rows.set(id, Object.freeze(row));
  forgetEnded(rows);
  return true;
}

function forgetEnded<T extends Dated>(rows: Map<string, T>): void {
  if (rows.size <= ENDED_MAX) return;
  for (const [id, row] of rows) {
    if (!ended.has(row.status)) continue;
    rows.delete(id);
    return;
  }
}
