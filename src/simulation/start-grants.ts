/**
 * Start balances (simulation.md, "Defaults"): what the configuration says, else 100,000 of each quote or settlement
 * currency, and for each spot symbol base worth 100,000 at its first mid, in whole lots. All of it comes from `outside`.
 */
import type { Instruments } from '../model/instrument.ts';
import { dec } from '../model/money.ts';
import type { Purse } from './purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

const GRANT = 100_000;

export class StartGrants {
  readonly #purse: Purse;
  readonly #instruments: Instruments;
  readonly #start: Readonly<Record<string, string>>;
  #opened = false;
  #bases: boolean;

  constructor(purse: Purse, instruments: Instruments, start: Readonly<Record<string, string>>) {
    this.#purse = purse;
    this.#instruments = instruments;
    this.#start = start;
    this.#bases = Object.keys(start).length === 0;
  }

  /** A restored account has what it has. */
  skip(): void {
    this.#opened = true;
    this.#bases = false;
  }

  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    if (!this.#bases) {
      for (const [currency, amount] of Object.entries(this.#start)) this.#purse.grant(currency, dec(amount));
      return;
    }
    const currencies = this.#instruments.all().map(({ market, quote, settle }) => (market === 'spot' ? quote : settle));
    for (const currency of new Set(currencies)) this.#purse.grant(currency, dec(GRANT));
  }

  /** At the first mid of a spot symbol. Cheap until then, never called again after. */
  grantBase(symbol: SymbolVenue): void {
    if (!this.#opened) return;
    if (!this.#bases || symbol.perpetual !== null) {
      symbol.granted = true;
      return;
    }
    const { mid, instrument } = symbol;
    if (mid === null) return;
    symbol.granted = true;
    const lots = dec(GRANT).div(mid).div(instrument.spec.lotSize).floor();
    this.#purse.grant(instrument.base, lots.times(instrument.spec.lotSize));
  }
}
