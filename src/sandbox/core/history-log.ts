/**
 * Append-only list of the newest `max` items and unfinished older ones. Dropping runs per 2 % of `max`, so at most 1.02
 * × `max` finished items are kept.
 */
const SLACK = 0.02;

export class HistoryLog<Item> {
  readonly #max: number;
  readonly #isOver: (item: Item) => boolean;
  readonly #items: Item[] = [];
  #forgotten = 0;
  #heldBack = 0;

  /** `isOver`: whether an old item may be dropped. */
  constructor(max: number, isOver: (item: Item) => boolean) {
    this.#max = max;
    this.#isOver = isOver;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Number of dropped items. */
  get firstPlace(): number {
    return this.#forgotten;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Call after adding; returns the dropped items. */
  forgetOld(): readonly Item[] {
    const beyond = this.#items.length - this.#max;
    if (beyond - this.#heldBack <= this.#max * SLACK) return [];
    const old = this.#items.slice(0, beyond);
    const gone = old.filter((item) => this.#isOver(item));
    const staying = old.filter((item) => !this.#isOver(item));
    this.#items.splice(0, beyond, ...staying);
    this.#forgotten += gone.length;
    this.#heldBack = staying.length;
    return gone;
  }
}
