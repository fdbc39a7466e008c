/**
 * Start balances. Default: 100,000 of each quote or settlement currency that no traded spot symbol has as its base, at the
 * first event; and of each base as much as its quote has, at the first mid, in whole lots. Each currency once. So what an
 * account begins with does not hang on which symbol comes first.
 */
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { Balance } from '../../model/trading/account.ts';
import type { Purse } from './purse.ts';
import type { Grant } from '../venue/observer.ts';
import type { SymbolVenue } from '../venue/symbol-venue.ts';

const GRANT = 100_000;

export class StartGrants {
  readonly #purse: Purse;
  readonly #start: Readonly<Record<string, string>>;
  /** Amount of each currency. */
  readonly #granted = new Map<string, Decimal>();
  readonly #bases: ReadonlySet<string>;
  /** Quotes and settlement currencies that are no base. */
  readonly #roots: ReadonlySet<string>;
  #opened = false;
  readonly #byMarket: boolean;

  /** `traded`: what the account is for. Of other symbols, each currency as it comes. */
  constructor(purse: Purse, start: Readonly<Record<string, string>>, traded: readonly Instrument[]) {
    this.#purse = purse;
    this.#start = start;
    this.#byMarket = Object.keys(start).length === 0;
    const bases = new Set(traded.flatMap(({ market, base }) => (market === 'spot' ? [base] : [])));
    this.#roots = new Set(traded.map(paidIn).filter((currency) => !bases.has(currency)));
    // Where each is the base of another, nothing says what any of them is worth.
    this.#bases = this.#roots.size > 0 ? bases : new Set();
  }

  /** Symbols new to a restored account still get grants. */
  skip(granted: readonly Pick<Balance, 'currency' | 'total'>[]): void {
    this.#opened = true;
    for (const { currency, total } of granted)
      this.#granted.set(currency, this.#bases.has(currency) ? dec(total) : dec(GRANT));
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
    symbol.granted = !this.#byMarket || perpetual !== null;
    if (!this.#byMarket) return [];
    const paid = paidIn(instrument);
    const grants = this.#bases.has(paid) ? [] : this.#once(paid, () => dec(GRANT));
    const worth = this.#granted.get(paid);
    if (perpetual !== null || mid === null || worth === undefined) return grants;
    symbol.granted = true;
    if (this.#roots.has(instrument.base)) return grants;
    const { lotSize } = instrument.spec;
    return [...grants, ...this.#once(instrument.base, () => worth.div(mid).div(lotSize).floor().times(lotSize))];
  }

  #once(currency: string, amount: () => Decimal): readonly Grant[] {
    return this.#granted.has(currency) ? [] : [this.#give(currency, amount())];
  }

  #give(currency: string, amount: Decimal): Grant {
    this.#granted.set(currency, amount);
    this.#purse.grant(currency, amount);
    return { currency, amount: decimalText(amount) };
  }
}

function paidIn({ market, quote, settle }: Instrument): string {
  return market === 'spot' ? quote : settle;
}
