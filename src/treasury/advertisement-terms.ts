/** Terms of an `advertise` action, and what the pair forbids. Pure. */
import type { AdvertiseAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import { dec, decimalOrNull, decimalText, type Decimal, type DecimalLike } from '../model/money.ts';
import type { Spread } from '../model/p2p-price-rule.ts';
import type { Advertisement, AdvertisementTerms, P2pMarket } from '../model/p2p.ts';
import { boundsOf } from './p2p-book.ts';

type Amount = 'price' | 'amount' | 'minLimit' | 'maxLimit';

const amounts: readonly Amount[] = ['price', 'amount', 'minLimit', 'maxLimit'];

export function termsOf(action: AdvertiseAction): AdvertisementTerms {
  const text = (value: DecimalLike): string => decimalText(value);
  return Object.freeze({
    price: text(action.price),
    amount: text(action.amount),
    minLimit: text(action.minLimit),
    maxLimit: text(action.maxLimit),
    paymentMethodIds: [...action.paymentMethodIds],
    ...(action.comment === undefined ? {} : { comment: action.comment }),
  });
}

export function termsDenial(
  action: AdvertiseAction,
  market: P2pMarket,
  spreadOf: (symbol: string) => Spread | null,
): Denied | null {
  for (const field of amounts) {
    const value = decimalOrNull(action[field]);
    if (value === null || !value.gt(0))
      return denied('not_positive', `${field} ${String(action[field])} is not above zero`, field);
  }
  const price = dec(action.price);
  const amount = dec(action.amount);
  return (
    gridDenial('price', price, market.pricePrecision, 'off_tick') ??
    gridDenial('amount', amount, market.basePrecision, 'off_lot') ??
    rangeDenial('amount', amount, market.advertisementMin, market.advertisementMax) ??
    rangeDenial('minLimit', dec(action.minLimit), market.tradeMin, market.tradeMax) ??
    rangeDenial('maxLimit', dec(action.maxLimit), decimalText(action.minLimit), market.tradeMax) ??
    boundsDenial(price, market, spreadOf)
  );
}

function gridDenial(field: string, value: Decimal, places: number, reason: 'off_tick' | 'off_lot'): Denied | null {
  if (value.decimalPlaces() <= places) return null;
  return denied(reason, `${field} ${value.toFixed()} has more than ${places} decimal places`, field);
}

function rangeDenial(field: string, value: Decimal, min: string, max: string): Denied | null {
  if (value.lt(min)) return denied('below_minimum', `${field} ${value.toFixed()} is below ${min}`, field);
  return value.gt(max) ? denied('above_maximum', `${field} ${value.toFixed()} is above ${max}`, field) : null;
}

function boundsDenial(price: Decimal, market: P2pMarket, spreadOf: (symbol: string) => Spread | null): Denied | null {
  const bounds = boundsOf(market, spreadOf);
  if (bounds === null)
    return denied('price_bounds', `${market.marketId} has nothing to measure the price from`, 'price');
  if (price.gte(bounds.low) && price.lte(bounds.high)) return null;
  const range = `${bounds.low.toFixed()} to ${bounds.high.toFixed()}`;
  return denied('price_bounds', `price ${price.toFixed()} is outside ${range}`, 'price');
}

/** The terms that differ; null when none does. */
export function changeOf(terms: AdvertisementTerms, row: Advertisement): Partial<AdvertisementTerms> | null {
  const change: { -readonly [K in keyof AdvertisementTerms]?: AdvertisementTerms[K] } = {};
  if (!dec(terms.price).eq(row.price)) change.price = terms.price;
  if (!dec(terms.amount).eq(row.availableAmount)) change.amount = terms.amount;
  if (!dec(terms.minLimit).eq(row.minLimit)) change.minLimit = terms.minLimit;
  if (!dec(terms.maxLimit).eq(row.maxLimit)) change.maxLimit = terms.maxLimit;
  if (terms.comment !== undefined && terms.comment !== row.comment) change.comment = terms.comment;
  if (!sameMethods(terms.paymentMethodIds, row)) change.paymentMethodIds = terms.paymentMethodIds;
  return Object.keys(change).length === 0 ? null : change;
}

export function sameMethods(ids: readonly string[], row: Advertisement): boolean {
  const shown = row.paymentMethods.map(({ id }) => id).toSorted();
  return shown.join() === ids.toSorted().join();
}
