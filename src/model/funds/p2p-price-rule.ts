/**
 * Price bounds of a P2P pair (interface, `marketPriceValidationRule`): percent from a fixed price (`anchor`) or the
 * spot best prices (`spread`).
 */
import { dec, type Decimal, type DecimalLike } from '../numbers/money.ts';
import type { P2pMarket } from './p2p.ts';

interface Deviations {
  /** Percent downward. */
  readonly ask: DecimalLike;
  /** Percent upward. */
  readonly bid: DecimalLike;
}

export type PriceRule = Deviations &
  ({ readonly kind: 'anchor'; readonly price: string } | { readonly kind: 'spread'; readonly symbol: string });

export interface Spread {
  readonly bid: Decimal;
  readonly ask: Decimal;
}

/** Null when a side is empty. */
export type SpreadOf = (symbol: string) => Spread | null;

export interface PriceBounds {
  /** Both inclusive. */
  readonly low: Decimal;
  readonly high: Decimal;
}

/** Null without a reference: every price is refused. */
export function priceBounds(rule: PriceRule, spreadOf: SpreadOf): PriceBounds | null {
  const base = rule.kind === 'anchor' ? { bid: dec(rule.price), ask: dec(rule.price) } : spreadOf(rule.symbol);
  if (base === null) return null;
  return {
    low: base.bid.times(dec(100).minus(rule.ask)).div(100),
    high: base.ask.times(dec(100).plus(rule.bid)).div(100),
  };
}

/** Null for undocumented types. The spot pair's name is assumed equal. */
export function priceRuleOf({ base, quote, rule }: Pick<P2pMarket, 'base' | 'quote' | 'rule'>): PriceRule | null {
  const { ruleType, ask, bid, price } = rule;
  if (ruleType === 'anchor' && price !== null) return { kind: 'anchor', price, ask, bid };
  return ruleType === 'spread' ? { kind: 'spread', symbol: `${base}${quote}`, ask, bid } : null;
}
