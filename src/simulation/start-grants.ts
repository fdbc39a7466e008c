/**
 * Start balances (simulation.md, "Defaults"): what the configuration says, else for each symbol that the market shows
 * 100,000 of its quote or settlement currency at its first event and, on spot, base worth 100,000 at its first mid, in
 * whole lots. A currency is granted once. All of it comes from `outside`.
 */
import { dec, decimalText, type Decimal } from '../model/money.ts';
import type { Purse } from './purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

const GRANT = 100_000;

/** A start balance that was given; amount as canonical text. */
export interface Grant {
  readonly currency: string;
  readonly amount: string;
}

export class StartGrants {
  readonly #purse: Purse;
  readonly #start: Readonly<Record<string, string>>;
  readonly #quotes = new Set<string>();
  #opened = false;
  #byMarket: boolean;

  constructor(purse: Purse, start: Readonly<Record<string, string>>) {
    this.#purse = purse;
    this.#start = start;
    this.#byMarket = Object.keys(start).length === 0;
  }

  /** A restored account has what it has; symbols that it has never seen still bring theirs. */
  skip(granted: Iterable<string>): void {
    this.#opened = true;
    for (const currency of granted) this.#quotes.add(currency);
  }

  open(): readonly Grant[] {
    if (this.#opened) return [];
    this.#opened = true;
    return Object.entries(this.#start).map(([currency, amount]) => this.#give(currency, dec(amount)));
  }

  /** After each market event of a symbol until it is `granted`. Cheap then. */
  grant(symbol: SymbolVenue): readonly Grant[] {
    if (!this.#opened) return [];
    if (!this.#byMarket) {
      symbol.granted = true;
      return [];
    }
    const { instrument, perpetual, mid } = symbol;
    const grants: Grant[] = [];
    const quote = perpetual === null ? instrument.quote : instrument.settle;
    if (!this.#quotes.has(quote)) {
      this.#quotes.add(quote);
      grants.push(this.#give(quote, dec(GRANT)));
    }
    if (perpetual !== null) symbol.granted = true;
    else if (mid !== null) {
      symbol.granted = true;
      if (!this.#quotes.has(instrument.base)) {
        this.#quotes.add(instrument.base);
        const lots = dec(GRANT).div(mid).div(instrument.spec.lotSize).floor();
        grants.push(this.#give(instrument.base, lots.times(instrument.spec.lotSize)));
      }
    }
    return grants;
  }

  #give(currency: string, amount: Decimal): Grant {
    this.#purse.grant(currency, amount);
    return { currency, amount: decimalText(amount) };
  }
}
