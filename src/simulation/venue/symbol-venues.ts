/** The symbols of the simulated exchange, each made with its first event or order. */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import { CandleMatching } from '../matching/candle-matching.ts';
import type { Happening } from '../matching/working-order.ts';
import { SymbolVenue, type SymbolDeps } from './symbol-venue.ts';

export interface SymbolVenuesDeps extends Omit<SymbolDeps, 'sync'> {
  readonly instruments: Instruments;
  readonly sync: (symbol: string) => BookSyncOptions;
}

export class SymbolVenues {
  readonly #deps: SymbolVenuesDeps;
  readonly #all = new Map<string, SymbolVenue>();
  readonly #onBars: CandleMatching[] = [];
  #lastInstrument: Instrument | null = null;
  #last: SymbolVenue | null = null;

  constructor(deps: SymbolVenuesDeps) {
    this.#deps = deps;
  }

  get areSeveral(): boolean {
    return this.#all.size > 1;
  }

  /** Ticks beside bars come only where `exchange: candles` was set by hand, or as marks. */
  heard(event: Happening): void {
    if (this.#onBars.length === 0 || !isTick(event)) return;
    for (const engine of this.#onBars) engine.heard(event);
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
    if (made.engine instanceof CandleMatching) this.#onBars.push(made.engine);
    return made;
  }
}

function isTick(event: Happening): event is MarketEvent {
  const { kind } = event;
  return !(kind === 'bar-open' || kind === 'funding' || kind === 'gap' || (kind === 'candle' && event.closed));
}
