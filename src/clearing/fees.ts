/**
 * Trading fees, never rounded. Spot: from the asset received. Perpetuals: from the settlement currency. A negative
 * maker rate is a rebate.
 */
import type { Instrument } from '../model/market/instrument.ts';
import { dec, type Decimal } from '../model/numbers/money.ts';
import type { Liquidity, Side } from '../model/trading/order.ts';

export interface FeeRates {
  readonly maker: Decimal;
  readonly taker: Decimal;
}

export interface Fee {
  readonly currency: string;
  readonly amount: Decimal;
}

export function feeRates(fees: { readonly maker: string; readonly taker: string }): FeeRates {
  return { maker: dec(fees.maker), taker: dec(fees.taker) };
}

export function feeOf(
  instrument: Instrument,
  rates: FeeRates,
  side: Side,
  liquidity: Liquidity,
  price: Decimal,
  quantity: Decimal,
): Fee {
  const rate = rates[liquidity];
  if (instrument.market === 'derivative') {
    const notional = price.times(quantity).times(instrument.contractSize);
    return { currency: instrument.settle, amount: notional.times(rate) };
  }
  return side === 'buy'
    ? { currency: instrument.base, amount: quantity.times(rate) }
    : { currency: instrument.quote, amount: price.times(quantity).times(rate) };
}
