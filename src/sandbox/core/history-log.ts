/**
 * An append-only list of what a user did, in order of creation, bounded: the newest `max` items stay, older ones are
 * forgotten unless they are still going on. The place of an item is a stable cursor, whatever was forgotten before it.
 * Forgetting takes a fiftieth of `max` at a time, so that it costs little an item: there are never more than
 * 1.02 × `max` items and those that go on. Pure.
 */
const SLACK = 0.02;

export class HistoryLog<Item> {
  readonly #max: number;
  readonly #isOver: (item: Item) => boolean;
  readonly #items: Item[] = [];
  #forgotten = 0;
  /** Older than the newest `max` and still going on when it was last looked. */
  #heldBack = 0;

  /** `isOver`: whether an old item may be forgotten. */
  constructor(max: number, isOver: (item: Item) => boolean) {
    this.#max = max;
    this.#isOver = isOver;
  }

  /** Oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** How many were forgotten: the place of the first item of `items`. */
  get firstPlace(): number {
    return this.#forgotten;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Forgets what is beyond the bound, and answers it; call after adding. */
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
