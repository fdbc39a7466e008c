/** Rates of the currencies of fills: those when they were learned. What had none then counts at the first one after. */
import type { FillRates, VenueFill } from '../../model/trading/fill.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { FillRecord } from '../../statistics/inputs.ts';
import type { Prices } from './prices.ts';

/** Decimal text; null: in the reporting currency, or unknown. */
export interface FillWorth {
  readonly quoteRate: string | null;
  /** Of a fee in a third currency. */
  readonly feeValue: string | null;
}

const IN_REPORTING: FillWorth = Object.freeze({ quoteRate: null, feeValue: null });

/** A fee in base is one in quote, at the fill price. */
export interface PaidFee {
  readonly currency: string;
  readonly amount: number;
  /** Undefined without a price. */
  readonly rate: number | undefined;
}

type RateOf = (currency: string, rates: FillRates | undefined) => number | undefined;
type FeePaid = Pick<VenueFill, 'symbol' | 'price' | 'fee' | 'feeCurrency'>;

export function withWorth(fill: FillRecord, { quoteRate, feeValue }: FillWorth): FillRecord {
  return { ...fill, ...(quoteRate === null ? {} : { quoteRate }), ...(feeValue === null ? {} : { feeValue }) };
}

export class FillRateBook {
  readonly #instruments: Instruments;
  readonly #prices: Prices;
  /** Currencies without a rate at a fill. */
  readonly #late = new Set<string>();

  constructor(instruments: Instruments, prices: Prices) {
    this.#instruments = instruments;
    this.#prices = prices;
  }

  /** `rates`: absent in older journals, which then have those of now. */
  worth(fill: FeePaid, rates: FillRates | undefined): FillWorth {
    return this.#worth(fill, this.#rateThen, rates);
  }

  readonly #rateThen = (currency: string, rates: FillRates | undefined): number | undefined => {
    const rate = this.#rate(currency, rates);
    if (rate === undefined) this.#late.add(currency);
    return rate;
  };

  fee({ symbol, price, fee, feeCurrency }: FeePaid, rates: FillRates | undefined): PaidFee {
    const instrument = this.#instruments.find(symbol);
    if (instrument === undefined || feeCurrency !== instrument.base)
      return { currency: feeCurrency, amount: Number(fee), rate: this.#rate(feeCurrency, rates) };
    const { quote } = instrument;
    return { currency: quote, amount: dec(fee).times(price).toNumber(), rate: this.#rate(quote, rates) };
  }

  /** With the first rate where there was none. */
  completed(fills: readonly FillRecord[]): readonly FillRecord[] {
    if (this.#late.size === 0) return fills;
    return fills.map((fill) => {
      const { quoteRate, feeValue } = fill;
      const first = this.#worth(fill, (currency) => this.#prices.firstRate(currency));
      return withWorth(fill, { quoteRate: quoteRate ?? first.quoteRate, feeValue: feeValue ?? first.feeValue });
    });
  }

  saved(): ReadonlySet<string> {
    return this.#late;
  }

  load(late: ReadonlySet<string>): void {
    for (const currency of late) this.#late.add(currency);
  }

  warnings(): readonly string[] {
    return [...this.#late].map(
      (currency) => `fills before the first price of ${currency} in ${this.#prices.reporting} count at that price`,
    );
  }

  #worth({ symbol, fee, feeCurrency }: FeePaid, rateOf: RateOf, rates?: FillRates): FillWorth {
    const instrument = this.#instruments.find(symbol);
    if (instrument === undefined) return IN_REPORTING;
    const { base, quote } = instrument;
    const { reporting } = this.#prices;
    const isOther = feeCurrency !== base && feeCurrency !== quote;
    if (quote === reporting && !isOther) return IN_REPORTING;
    const rate = quote === reporting ? undefined : rateOf(quote, rates);
    const feeRate = isOther ? rateOf(feeCurrency, rates) : undefined;
    return {
      quoteRate: rate === undefined ? null : decimalText(rate),
      feeValue: feeRate === undefined ? null : decimalText(dec(fee).times(feeRate)),
    };
  }

  #rate(currency: string, rates: FillRates | undefined): number | undefined {
    return rates === undefined || currency === this.#prices.reporting ? this.#prices.rate(currency) : rates[currency];
  }
}
