/** Checks an advertisement's terms against its pair's limits. Pure. */
import { dec } from '../../../model/numbers/money.ts';
import type { AdvertisementTerms, P2pMarket } from '../../../model/funds/p2p.ts';
import { refusedBeforehand } from '../../../operations/exchange/answers.ts';

interface Range {
  readonly field: string;
  readonly value: string | undefined;
  readonly min: string;
  readonly max: string;
  readonly unit: string;
}

/** Throws `operation_refused` with `below_minimum` or `above_maximum`; checks given terms only. */
export function checkAmounts(what: string, market: P2pMarket, terms: Partial<AdvertisementTerms>): void {
  const { base, quote, advertisementMin, advertisementMax, tradeMin, tradeMax } = market;
  const { amount, minLimit, maxLimit } = terms;
  const ranges: readonly Range[] = [
    { field: 'amount', value: amount, min: advertisementMin, max: advertisementMax, unit: base },
    { field: 'minLimit', value: minLimit, min: tradeMin, max: tradeMax, unit: quote },
    { field: 'maxLimit', value: maxLimit, min: minLimit ?? tradeMin, max: tradeMax, unit: quote },
  ];
  for (const { field, value, min, max, unit } of ranges) {
    if (value === undefined) continue;
    const allowed = `${field} ${value} is outside ${min} to ${max} ${unit}`;
    if (dec(value).lt(min)) throw refusedBeforehand(what, 'below_minimum', allowed, field);
    if (dec(value).gt(max)) throw refusedBeforehand(what, 'above_maximum', allowed, field);
  }
}
