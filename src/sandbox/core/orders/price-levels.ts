/**
 * One side of an order book: price levels, each a doubly linked queue in time priority.
 *
 *   levels (sorted, best LAST, so that work near the best moves few elements)
 *     … 59998 ─ 59999 ─ 60000          bids; asks are sorted the other way
 *                         │
 *                       first ⇄ order ⇄ last      oldest first
 *
 * Invariants: every listed level has an order, and its `lots` is their sum.
 */
import { BID, type BookSide } from '../../../model/market/market-event.ts';

/** `lots`: remaining. */
export class RestingOrder<Owner> {
  readonly owner: Owner;
  readonly side: BookSide;
  readonly ticks: number;
  lots: number;
  level: PriceLevel<Owner> | null = null;
  previous: RestingOrder<Owner> | null = null;
  next: RestingOrder<Owner> | null = null;

  constructor(owner: Owner, side: BookSide, ticks: number, lots: number) {
    this.owner = owner;
    this.side = side;
    this.ticks = ticks;
    this.lots = lots;
  }
}

export class PriceLevel<Owner> {
  readonly ticks: number;
  lots = 0;
  first: RestingOrder<Owner> | null = null;
  last: RestingOrder<Owner> | null = null;
  /** Unpublished change. */
  changed = false;

  constructor(ticks: number) {
    this.ticks = ticks;
  }
}

export class PriceLevels<Owner> {
  /** Best last. */
  readonly sorted: PriceLevel<Owner>[] = [];
  readonly #byTicks = new Map<number, PriceLevel<Owner>>();
  readonly #changed: number[] = [];
  /** +1: bids, -1: asks. */
  readonly #direction: 1 | -1;

  constructor(side: BookSide) {
    this.#direction = side === BID ? 1 : -1;
  }

  get best(): PriceLevel<Owner> | undefined {
    return this.sorted[this.sorted.length - 1];
  }

  append(order: RestingOrder<Owner>): void {
    const level = this.#byTicks.get(order.ticks) ?? this.#insert(order.ticks);
    order.level = level;
    order.previous = level.last;
    if (level.last === null) level.first = order;
    else level.last.next = order;
    level.last = order;
    level.lots += order.lots;
    this.#mark(level);
  }

  reduce(order: RestingOrder<Owner>, level: PriceLevel<Owner>, lots: number): void {
    order.lots -= lots;
    level.lots -= lots;
    this.#mark(level);
    if (order.lots === 0) this.#unlink(order, level);
  }

  remove(order: RestingOrder<Owner>, level: PriceLevel<Owner>): void {
    level.lots -= order.lots;
    this.#mark(level);
    this.#unlink(order, level);
  }

  drain(visit: (ticks: number, lots: number) => void): void {
    if (this.#changed.length === 0) return;
    for (const ticks of new Set(this.#changed)) {
      const level = this.#byTicks.get(ticks);
      if (level !== undefined) level.changed = false;
      visit(ticks, level === undefined ? 0 : level.lots);
    }
    this.#changed.length = 0;
  }

  get hasChanges(): boolean {
    return this.#changed.length > 0;
  }

  #mark(level: PriceLevel<Owner>): void {
    if (level.changed) return;
    level.changed = true;
    this.#changed.push(level.ticks);
  }

  #unlink(order: RestingOrder<Owner>, level: PriceLevel<Owner>): void {
    if (order.previous === null) level.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) level.last = order.previous;
    else order.next.previous = order.previous;
    order.level = null;
    order.previous = null;
    order.next = null;
    if (level.first === null) this.#drop(level);
  }

  #insert(ticks: number): PriceLevel<Owner> {
    const level = new PriceLevel<Owner>(ticks);
    this.#byTicks.set(ticks, level);
    const { sorted } = this;
    const at = this.#position(ticks);
    sorted.push(level);
    for (let index = sorted.length - 1; index > at; index--) sorted[index] = sorted[index - 1]!;
    sorted[at] = level;
    return level;
  }

  #drop(level: PriceLevel<Owner>): void {
    this.#byTicks.delete(level.ticks);
    const { sorted } = this;
    const end = sorted.length - 1;
    for (let index = this.#position(level.ticks); index < end; index++) sorted[index] = sorted[index + 1]!;
    sorted.pop();
  }

  /** Index of the first level not worse than `ticks`. */
  #position(ticks: number): number {
    const { sorted } = this;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle]!.ticks - ticks) * this.#direction < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
