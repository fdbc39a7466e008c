/**
 * Values in the reporting currency at mids. The last known price counts when a market is stale; otherwise that would
 * look like a loss.
 */
import { conversionOf, rateBy, type Conversion } from '../../model/market/conversion.ts';
import type { FillRates, VenueFill } from '../../model/trading/fill.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { MarketReader } from '../../model/ports.ts';

export class Valuation {
  readonly #reporting: string;
  readonly #instruments: Instruments;
  readonly #market: MarketReader;
  readonly #paths = new Map<string, Conversion>();
  readonly #mids = new Map<string, number>();

  constructor(reporting: string, instruments: Instruments, market: MarketReader) {
    this.#reporting = reporting;
    this.#instruments = instruments;
    this.#market = market;
  }

  /** Reporting units per unit of the currency; NaN when unknown. */
  rate(currency: string): number {
    if (currency === this.#reporting) return 1;
    const path = this.#path(currency);
    if (path === undefined) return Number.NaN;
    return rateBy(path, this.mid(path.instrument.symbol));
  }

  /** The last known one; NaN before the first. */
  mid(symbol: string): number {
    const mid = this.#market.mid(symbol);
    if (mid === undefined || !(mid > 0)) return this.#mids.get(symbol) ?? Number.NaN;
    this.#mids.set(symbol, mid);
    return mid;
  }

  /** Of the currencies that a fill is paid in; undefined: it is all in the reporting currency. */
  ratesOf({ base, quote }: Instrument, { feeCurrency }: VenueFill): FillRates | undefined {
    const reporting = this.#reporting;
    const isFeeOther = feeCurrency !== quote && feeCurrency !== base && feeCurrency !== reporting;
    if (quote === reporting && !isFeeOther) return undefined;
    const rates: Record<string, number> = {};
    for (const currency of isFeeOther ? [quote, feeCurrency] : [quote]) {
      const rate = this.rate(currency);
      if (currency !== reporting && !Number.isNaN(rate)) rates[currency] = rate;
    }
    return Object.freeze(rates);
  }

  /** Reporting value of one tick × one lot; NaN when unknown. */
  unit({ tick, lot, contractValue, quote }: Instrument): number {
    return tick * lot * contractValue * this.rate(quote);
  }

  #path(currency: string): Conversion | undefined {
    const known = this.#paths.get(currency);
    if (known !== undefined) return known;
    const found = conversionOf(this.#instruments.all(), currency, this.#reporting);
    if (found !== undefined) this.#paths.set(currency, found);
    return found;
  }
}
