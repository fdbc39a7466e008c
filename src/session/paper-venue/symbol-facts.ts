/** What an own fill moves, by its symbol: a journal's rows do not say it. */
import { feeOf, feeRates } from '../../clearing/fees.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import type { Config } from '../config/schema.ts';

export interface SymbolFacts {
  readonly base: string;
  /** Settlement currency of a derivative. */
  readonly quote: string;
  readonly contractSize: Decimal;
  readonly takerFee: (side: Side, price: Decimal, quantity: Decimal) => { currency: string; amount: Decimal };
}

export type FactsOf = (symbol: string) => SymbolFacts;

/** A delisted symbol keeps its fills. */
export function symbolFacts(instruments: Instruments, fees: Config['simulation']['fees']): FactsOf {
  const rates = feeRates(fees);
  return (symbol) => {
    const instrument = instruments.find(symbol);
    if (instrument === undefined) {
      const takerFee = () => ({ currency: symbol, amount: ZERO });
      return { base: symbol, quote: symbol, contractSize: dec(1), takerFee };
    }
    return {
      base: instrument.base,
      quote: instrument.market === 'spot' ? instrument.quote : instrument.settle,
      contractSize: instrument.contractSize,
      takerFee: (side, price, quantity) => feeOf(instrument, rates, side, 'taker', price, quantity),
    };
  };
}
