/** Notifies the observer of changed mids, marks and money. */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { VenueObserver } from './observer.ts';
import type { Purse } from '../money/purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export class Observed {
  readonly #observer: VenueObserver | undefined;
  readonly #purse: Purse;
  #moves = 0;
  #hasFilled = false;

  constructor(observer: VenueObserver | undefined, purse: Purse) {
    this.#observer = observer;
    this.#purse = purse;
  }

  mid(symbol: SymbolVenue, us: number): void {
    const { midHalfTicks } = symbol.engine;
    if (midHalfTicks === symbol.observedHalfTicks) return;
    symbol.observedHalfTicks = midHalfTicks;
    if (midHalfTicks !== 0) this.#observer?.mid(symbol.instrument, midHalfTicks, us);
  }

  /** Call after all consequences and before `money`, which is seen at this mark. */
  mark(symbol: SymbolVenue, us: number): void {
    if (symbol.perpetual === null) return;
    const { markNumber } = symbol;
    if (Number.isNaN(markNumber) || markNumber === symbol.observedMark) return;
    symbol.observedMark = markNumber;
    this.#observer?.marked(symbol.instrument, markNumber, us);
  }

  filled(fill: VenueFill, queueAhead: number | null): void {
    this.#hasFilled = true;
    this.#observer?.filled(fill, queueAhead);
  }

  /** A fill of a perpetual without a fee moves no money. */
  money(): void {
    if (this.#purse.moves === this.#moves && !this.#hasFilled) return;
    this.#moves = this.#purse.moves;
    this.#hasFilled = false;
    this.#observer?.settled();
  }
}
