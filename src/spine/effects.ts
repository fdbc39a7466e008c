/** What a fill changes in the balances of the account, apart from the settlement of what was held before. */
import type { VenueFill } from '../model/trading/fill.ts';
import type { Instrument } from '../model/market/instrument.ts';
import { dec, type Decimal } from '../model/numbers/money.ts';
import type { FillAmounts } from './positions.ts';

/** Calls `add` with each currency and its signed amount. */
export function eachEffect(
  instrument: Instrument,
  fill: VenueFill,
  { price, quantity, fee }: FillAmounts,
  add: (currency: string, amount: Decimal) => void,
): void {
  if (instrument.market === 'spot') {
    const cost = quantity.times(price);
    const buys = fill.side === 'buy';
    add(instrument.base, buys ? quantity : quantity.neg());
    add(instrument.quote, buys ? cost.neg() : cost);
  }
  if (instrument.market === 'derivative' && fill.realizedPnl !== undefined)
    add(instrument.settle, dec(fill.realizedPnl));
  add(fill.feeCurrency, fee.neg());
}
