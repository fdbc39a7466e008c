/** Exact worth of fills in the reporting currency. Not rounded, so that any split adds up. */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { feeOf, type FeeRates } from '../../clearing/fees.ts';
import { sessionErrors } from '../errors.ts';

export type TradeFill = Pick<
  VenueFill,
  'symbol' | 'side' | 'price' | 'quantity' | 'fee' | 'feeCurrency' | 'liquidity' | 'ts'
>;

export interface ValueOptions {
  readonly instruments: Instruments;
  readonly marks: ReadonlyMap<string, Decimal>;
  readonly reporting: string;
  readonly rates: FeeRates;
}

export class TradeValue {
  readonly #options: ValueOptions;

  constructor(options: ValueOptions) {
    this.#options = options;
  }

  /** Against the mark, before fees. Throws `drift_unpriced`. */
  gross({ symbol, side, price }: TradeFill, quantity: Decimal): Decimal {
    const instrument = this.#instrument(symbol);
    const mark = this.#options.marks.get(symbol);
    if (mark === undefined) throw unpriced(symbol);
    const distance = side === 'buy' ? mark.minus(price) : dec(price).minus(mark);
    const money = instrument.market === 'spot' ? instrument.quote : instrument.settle;
    return distance.times(quantity).times(instrument.contractSize).times(this.worth(money));
  }

  fee({ fee, feeCurrency }: TradeFill): Decimal {
    const paid = dec(fee);
    return paid.isZero() ? ZERO : paid.times(this.worth(feeCurrency));
  }

  /** By the simulation's rates. */
  simulatedFee({ symbol, side, price, liquidity }: TradeFill, quantity: Decimal): Decimal {
    const { currency, amount } = feeOf(
      this.#instrument(symbol),
      this.#options.rates,
      side,
      liquidity,
      dec(price),
      quantity,
    );
    return amount.isZero() ? ZERO : amount.times(this.worth(currency));
  }

  net(fill: TradeFill): Decimal {
    return this.gross(fill, dec(fill.quantity)).minus(this.fee(fill));
  }

  total(fills: Iterable<TradeFill>): Decimal {
    let sum = ZERO;
    for (const fill of fills) sum = sum.plus(this.net(fill));
    return sum;
  }

  /** One unit in the reporting currency. */
  worth(currency: string): Decimal {
    const { instruments, reporting, marks } = this.#options;
    if (currency === reporting) return dec(1);
    const bridge = instruments
      .all()
      .find(({ market, base, quote }) => market === 'spot' && base === currency && quote === reporting);
    const mark = bridge === undefined ? undefined : marks.get(bridge.symbol);
    if (mark === undefined) throw unpriced(currency);
    return mark;
  }

  #instrument(symbol: string): Instrument {
    const instrument = this.#options.instruments.find(symbol);
    if (instrument === undefined) throw unpriced(symbol);
    return instrument;
  }
}

function unpriced(what: string): Error {
  return sessionErrors.make('drift_unpriced', `the recording has no price of ${what} in the reporting currency`, {
    what,
  });
}
