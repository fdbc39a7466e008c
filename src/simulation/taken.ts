/**
 * What own takers have consumed of the displayed book (rule M1): the data goes on showing it, so it is remembered per
 * level as (original, consumed) and forgotten when the data refreshes the level. One per book side.
 */
import { BID, type BookSide, type DepthEvent } from '../model/market-event.ts';

interface Taken {
  /** Displayed lots when it was taken from. */
  readonly original: number;
  consumed: number;
}

/** Beyond this many levels, those that the data has changed since are swept. */
const SWEEP_ABOVE = 64;

export class TakenLevels {
  readonly #side: BookSide;
  readonly #levels = new Map<number, Taken>();

  constructor(side: BookSide) {
    this.#side = side;
  }

  get empty(): boolean {
    return this.#levels.size === 0;
  }

  /** What is left of `displayed` lots at a price. */
  available(ticks: number, displayed: number): number {
    const taken = this.#levels.get(ticks);
    if (taken === undefined || taken.original !== displayed) return displayed;
    return Math.max(0, displayed - taken.consumed);
  }

  take(ticks: number, displayed: number, lots: number, displayedAt: (ticks: number) => number): void {
    const taken = this.#levels.get(ticks);
    if (taken !== undefined && taken.original === displayed) taken.consumed += lots;
    else this.#levels.set(ticks, { original: displayed, consumed: lots });
    if (this.#levels.size > SWEEP_ABOVE) this.#sweep(displayedAt);
  }

  /**
   * A depth update has restated levels: its rows exist because the level changed. A snapshot restates everything whether
   * it changed or not, so there only another quantity counts as news (`available` compares).
   */
  refresh(event: DepthEvent): void {
    if (event.snapshot || this.#levels.size === 0) return;
    const { sides, ticks, from, to } = event.levels;
    for (let row = from; row < to; row++) {
      if ((sides[row] === BID) === (this.#side === BID)) this.#levels.delete(ticks[row]!);
    }
  }

  clear(): void {
    this.#levels.clear();
  }

  #sweep(displayedAt: (ticks: number) => number): void {
    for (const [ticks, taken] of this.#levels) {
      if (displayedAt(ticks) !== taken.original) this.#levels.delete(ticks);
    }
  }
}
