/** Displayed quantity that own takers consumed, kept per level until the data refreshes it. */
import type { OrderBook } from '../../model/book/book.ts';
import { BID, type BookSide, type DepthEvent } from '../../model/market/market-event.ts';

interface Taken {
  readonly original: number;
  consumed: number;
}

export class TakenLevels {
  readonly #side: BookSide;
  readonly #levels = new Map<number, Taken>();

  constructor(side: BookSide) {
    this.#side = side;
  }

  get empty(): boolean {
    return this.#levels.size === 0;
  }

  available(ticks: number, displayed: number): number {
    const taken = this.#levels.get(ticks);
    return taken === undefined ? displayed : Math.max(0, displayed - taken.consumed);
  }

  take(ticks: number, displayed: number, lots: number): void {
    const taken = this.#levels.get(ticks);
    if (taken === undefined) this.#levels.set(ticks, { original: displayed, consumed: lots });
    else taken.consumed += lots;
  }

  /** A depth update refreshes each level it names. Snapshots and best quotes repeat unchanged levels. */
  refresh(depth: DepthEvent | null, book: Pick<OrderBook, 'lotsAt'>): void {
    for (const [ticks, { original }] of this.#levels) {
      if (book.lotsAt(this.#side, ticks) !== original) this.#levels.delete(ticks);
    }
    if (depth === null || depth.snapshot) return;
    const { sides, ticks, from, to } = depth.levels;
    for (let row = from; row < to; row++) {
      if ((sides[row] === BID) === (this.#side === BID)) this.#levels.delete(ticks[row]!);
    }
  }

  clear(): void {
    this.#levels.clear();
  }
}
