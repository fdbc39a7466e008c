/**
 * What fills are worth, exactly: marked at the last mids of the data, in the reporting currency. Sums and products alone,
 * nothing is divided or rounded, so that any split of fills adds up to the last digit. Pure; used by `attribute.ts`.
 */
import type { VenueFill } from '../../model/fill.ts';
import type { Instrument, Instruments } from '../../model/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/money.ts';
import { feeOf, type FeeRates } from '../../clearing/fees.ts';
import { sessionErrors } from '../errors.ts';

/** What counts of a fill here; those of the venue, of a journal and of a result are such fills. */
export type TradeFill = Pick<
  VenueFill,
  'symbol' | 'side' | 'price' | 'quantity' | 'fee' | 'feeCurrency' | 'liquidity' | 'ts'
>;

export interface ValueOptions {
  readonly instruments: Instruments;
  /** Last mid by symbol. */
  readonly marks: ReadonlyMap<string, Decimal>;
  readonly reporting: string;
  /** Those of the simulation. */
  readonly rates: FeeRates;
}

export class TradeValue {
  readonly #options: ValueOptions;

  constructor(options: ValueOptions) {
    this.#options = options;
  }

  /** Profit of a quantity at its price against the mark, before fees. Throws `drift_unpriced`. */
  gross({ symbol, side, price }: TradeFill, quantity: Decimal): Decimal {
    const instrument = this.#instrument(symbol);
    const mark = this.#options.marks.get(symbol);
    if (mark === undefined) throw unpriced(symbol);
    const distance = side === 'buy' ? mark.minus(price) : dec(price).minus(mark);
    const money = instrument.market === 'spot' ? instrument.quote : instrument.settle;
    return distance.times(quantity).times(instrument.contractSize).times(this.worth(money));
  }

  /** The fee that was paid. */
  fee({ fee, feeCurrency }: TradeFill): Decimal {
    const paid = dec(fee);
    return paid.isZero() ? ZERO : paid.times(this.worth(feeCurrency));
  }

  /** The fee that the simulation takes for that quantity. */
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

  /** Gross less the fee that was paid. */
  net(fill: TradeFill): Decimal {
    return this.gross(fill, dec(fill.quantity)).minus(this.fee(fill));
  }

  total(fills: Iterable<TradeFill>): Decimal {
    let sum = ZERO;
    for (const fill of fills) sum = sum.plus(this.net(fill));
    return sum;
  }

  /** One unit of a currency in the reporting currency. */
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
