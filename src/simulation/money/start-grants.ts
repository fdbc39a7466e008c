/**
 * Start balances. Default per symbol: 100,000 quote or settlement currency at its first event; on spot also base worth
 * 100,000 at the first mid, in whole lots. Each currency once.
 */
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { Purse } from './purse.ts';
import type { Grant } from '../venue/observer.ts';
import type { SymbolVenue } from '../venue/symbol-venue.ts';

const GRANT = 100_000;

export class StartGrants {
  readonly #purse: Purse;
  readonly #start: Readonly<Record<string, string>>;
  readonly #granted = new Set<string>();
  #opened = false;
  readonly #byMarket: boolean;

  constructor(purse: Purse, start: Readonly<Record<string, string>>) {
    this.#purse = purse;
    this.#start = start;
    this.#byMarket = Object.keys(start).length === 0;
  }

  /** Symbols new to a restored account still get grants. */
  skip(granted: Iterable<string>): void {
    this.#opened = true;
    for (const currency of granted) this.#granted.add(currency);
  }

  open(): readonly Grant[] {
    if (this.#opened) return [];
    this.#opened = true;
    return Object.entries(this.#start).map(([currency, amount]) => this.#give(currency, dec(amount)));
  }

  /** Call after each event of a symbol until `granted`. */
  grant(symbol: SymbolVenue): readonly Grant[] {
    if (!this.#opened) return [];
    const { instrument, perpetual, mid } = symbol;
    symbol.granted = !this.#byMarket || perpetual !== null || mid !== null;
    if (!this.#byMarket) return [];
    if (perpetual !== null) return this.#once(instrument.settle, () => dec(GRANT));
    const grants = this.#once(instrument.quote, () => dec(GRANT));
    if (mid === null) return grants;
    const { lotSize } = instrument.spec;
    return [...grants, ...this.#once(instrument.base, () => dec(GRANT).div(mid).div(lotSize).floor().times(lotSize))];
  }

  #once(currency: string, amount: () => Decimal): readonly Grant[] {
    if (this.#granted.has(currency)) return [];
    this.#granted.add(currency);
    return [this.#give(currency, amount())];
  }

  #give(currency: string, amount: Decimal): Grant {
    this.#purse.grant(currency, amount);
    return { currency, amount: decimalText(amount) };
  }
}
