/** The symbols of the simulated exchange, each made with its first event or order. */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import { SymbolVenue, type SymbolDeps } from './symbol-venue.ts';

export interface SymbolVenuesDeps extends Omit<SymbolDeps, 'sync'> {
  readonly instruments: Instruments;
  readonly sync: (symbol: string) => BookSyncOptions;
}

export class SymbolVenues {
  readonly #deps: SymbolVenuesDeps;
  readonly #all = new Map<string, SymbolVenue>();
  #lastInstrument: Instrument | null = null;
  #last: SymbolVenue | null = null;

  constructor(deps: SymbolVenuesDeps) {
    this.#deps = deps;
  }

  get areSeveral(): boolean {
    return this.#all.size > 1;
  }

  all(): readonly SymbolVenue[] {
    return [...this.#all.values()];
  }

  known(symbol: string): SymbolVenue | undefined {
    return this.#all.get(symbol);
  }

  of(instrument: Instrument): SymbolVenue {
    if (instrument !== this.#lastInstrument) {
      this.#last = this.#all.get(instrument.symbol) ?? this.#made(instrument);
      this.#lastInstrument = instrument;
    }
    return this.#last!;
  }

  #made(instrument: Instrument): SymbolVenue {
    const { instruments, sync, ...deps } = this.#deps;
    const { symbol } = instrument;
    const made = new SymbolVenue(instruments.find(symbol) ?? instrument, { ...deps, sync: sync(symbol) });
    this.#all.set(symbol, made);
    return made;
  }
}
