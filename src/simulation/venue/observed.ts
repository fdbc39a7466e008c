/** Notifies the observer of changed mids, marks and money. */
import type { VenueObserver } from './observer.ts';
import type { Purse } from '../money/purse.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export class Observed {
  readonly #observer: VenueObserver | undefined;
  readonly #purse: Purse;
  #moves = 0;

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

  money(): void {
    if (this.#purse.moves === this.#moves) return;
    this.#moves = this.#purse.moves;
    this.#observer?.settled();
  }
}
