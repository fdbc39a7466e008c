/** Last prices for valuation: mid of spot, mark of perpetuals. */
import { conversionOf, rateBy, type Conversion } from '../../model/market/conversion.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { dec, type Decimal, ONE, ZERO } from '../../model/numbers/money.ts';
import type { Amounts } from './amounts.ts';

export type SavedPrices = readonly (readonly [symbol: string, first: number, price: number])[];

interface LastPrice {
  readonly symbol: string;
  readonly first: number;
  price: number;
}

export class Prices {
  readonly #instruments: Instruments;
  readonly reporting: string;
  readonly #last = new Map<string, LastPrice>();
  /** That of the newest, without a search. */
  #newest: LastPrice | undefined;
  readonly #bridges = new Map<string, Conversion | null>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(instruments: Instruments, reporting: string) {
    this.#instruments = instruments;
    this.reporting = reporting;
  }

  replace(symbol: string, price: number): number | undefined {
    const last = this.#newest?.symbol === symbol ? this.#newest : this.#last.get(symbol);
    if (last !== undefined) {
      this.#newest = last;
      const before = last.price;
      last.price = price;
      return before;
    }
    this.#last.set(symbol, { symbol, first: price, price });
    const waiting = this.#waiting.get(symbol) ?? [];
    this.#waiting.delete(symbol);
    for (const run of waiting) run();
    return undefined;
  }

  saved(): SavedPrices {
    return [...this.#last].map(([symbol, { first, price }]) => [symbol, first, price]);
  }

  load(saved: SavedPrices): void {
    for (const [symbol, ...prices] of saved) for (const price of prices) this.replace(symbol, price);
  }

  /** Now, or at the first price of the symbol. */
  whenPriced(symbol: string, run: (price: number) => void): void {
    const price = this.of(symbol);
    if (price !== undefined) return run(price);
    const waiting = this.#waiting.get(symbol) ?? [];
    waiting.push(() => this.whenPriced(symbol, run));
    this.#waiting.set(symbol, waiting);
  }

  whenWorth(currency: string, amount: Decimal, run: (worth: Decimal) => void): void {
    const bridge = this.bridge(currency);
    if (currency === this.reporting) run(amount);
    else if (bridge !== null)
      this.whenPriced(bridge.instrument.symbol, (price) => run(amount.times(rateBy(bridge, price))));
  }

  of(symbol: string): number | undefined {
    return this.#last.get(symbol)?.price;
  }

  /** Reporting currency. */
  rate(currency: string): number | undefined {
    if (currency === this.reporting) return 1;
    return this.#rateAt(currency, (symbol) => this.of(symbol));
  }

  /** For what came before there was a rate. */
  firstRate(currency: string): number | undefined {
    if (currency === this.reporting) return 1;
    return this.#rateAt(currency, (symbol) => this.#last.get(symbol)?.first);
  }

  #rateAt(currency: string, priceOf: (symbol: string) => number | undefined): number | undefined {
    const bridge = this.bridge(currency);
    const price = bridge === null ? undefined : priceOf(bridge.instrument.symbol);
    return bridge === null || price === undefined ? undefined : rateBy(bridge, price);
  }

  /** The spot symbol whose mid is the rate, or one divided by it. */
  bridge(currency: string): Conversion | null {
    let bridge = this.#bridges.get(currency);
    if (bridge === undefined) {
      const found = conversionOf(this.#instruments.all(), currency, this.reporting);
      bridge = found?.instrument.market === 'spot' ? found : null;
      this.#bridges.set(currency, bridge);
    }
    return bridge;
  }

  /** Unpriced amounts count as 0. */
  worth({ money, contracts }: Amounts): Decimal {
    let worth = ZERO;
    for (const [currency, amount] of money) worth = worth.plus(amount.times(this.#exactRate(currency)));
    for (const [symbol, { settle, quantity }] of contracts)
      worth = worth.plus(quantity.times(this.of(symbol) ?? 0).times(this.#exactRate(settle)));
    return worth;
  }

  /** Null where something has no price. */
  known(amounts: Amounts): Decimal | null {
    return this.unpriced(amounts).length > 0 ? null : this.worth(amounts);
  }

  unpriced({ money, contracts }: Amounts): readonly string[] {
    const currencies = [...money].filter(([currency, amount]) => !amount.isZero() && this.rate(currency) === undefined);
    const symbols = [...contracts].filter(([symbol, { quantity }]) => !quantity.isZero() && !this.#last.has(symbol));
    return [...currencies, ...symbols].map(([name]) => name);
  }

  #exactRate(currency: string): Decimal {
    const rate = this.rate(currency);
    return rate === 1 ? ONE : dec(rate ?? 0);
  }
}
