/** The terms of an advertisement against the limits of its pair, before anything is sent. Pure; refusals as the exchange's. */
import { dec } from '../../../model/money.ts';
import type { AdvertisementTerms, P2pMarket } from '../../../model/p2p.ts';
import { refusedBeforehand } from '../../operations/outcome.ts';

interface Range {
  readonly field: string;
  readonly value: string | undefined;
  readonly min: string;
  readonly max: string;
  readonly unit: string;
}

/** Throws `operation_refused` with `below_minimum` or `above_maximum`. What is not given is not checked. */
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
