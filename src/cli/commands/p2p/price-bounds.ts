/**
 * A pair's price bounds before sending, and the refusal of a price outside. Unknown bounds are left to the exchange,
 * with a note.
 */
import { dec, decimalText } from '../../../model/numbers/money.ts';
import type { P2pMarket } from '../../../model/funds/p2p.ts';
import { priceBounds, priceRuleOf, type PriceBounds, type Spread } from '../../../model/funds/p2p-price-rule.ts';
import type { OpenExchange } from '../../operations/open-exchange.ts';
import { refusedBeforehand } from '../../../operations/exchange/answers.ts';

export interface KnownBounds {
  /** Null when unknown. */
  readonly bounds: PriceBounds | null;
  /** "85.5 to 104.5 RUB (anchor 95, -10 % and +10 %)", or why unknown. */
  readonly text: string;
}

/** Best prices of the analogous spot pair; null when a side is empty or unreadable. */
async function spreadOf({ exchange }: OpenExchange, symbol: string): Promise<Spread | null> {
  const ticker = await exchange.marketData.ticker(symbol);
  if (ticker.kind === 'failed' || !(ticker.value.bid > 0) || !(ticker.value.ask > 0)) return null;
  return { bid: dec(ticker.value.bid), ask: dec(ticker.value.ask) };
}

export async function readBounds(open: OpenExchange, market: P2pMarket): Promise<KnownBounds> {
  const rule = priceRuleOf(market);
  const { ruleType, ask, bid } = market.rule;
  if (rule === null) return { bounds: null, text: `unknown: the rule ${ruleType} is not documented` };
  const spread = rule.kind === 'spread' ? await spreadOf(open, rule.symbol) : null;
  const bounds = priceBounds(rule, () => spread);
  if (bounds === null) return { bounds: null, text: `unknown: the spot pair of ${market.marketId} shows no spread` };
  const spot = spread === null ? '' : `spot ${decimalText(spread.bid)} / ${decimalText(spread.ask)}`;
  const from = rule.kind === 'anchor' ? `anchor ${rule.price}` : spot;
  const range = `${decimalText(bounds.low)} to ${decimalText(bounds.high)} ${market.quote}`;
  return { bounds, text: `${range} (${from}, -${ask} % +${bid} %)` };
}

/** Throws `operation_refused` with `off_tick` or `price_out_of_bounds`, as the exchange would. */
export function checkPrice(what: string, market: P2pMarket, { bounds, text }: KnownBounds, price: string): void {
  const value = dec(price);
  if (value.decimalPlaces() > market.pricePrecision) {
    const message = `price ${price} has more than ${market.pricePrecision} decimals`;
    throw refusedBeforehand(what, 'off_tick', message, 'price');
  }
  if (bounds === null || (value.gte(bounds.low) && value.lte(bounds.high))) return;
  throw refusedBeforehand(what, 'price_out_of_bounds', `price ${price} is outside ${text}`, 'price');
}
