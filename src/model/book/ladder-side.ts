/**
 * One side of the ladder by key; the greater key is the better price (bid: ticks, ask: -ticks).
 *
 *   far (Map, sorted only when walked)        window (typed arrays)
 *   ... keys < base ...            │ base ··············· best ····· base + WINDOW
 *                                    lots[key - base], one mark per block of levels that may hold any
 *
 * Invariants: keys >= base are in the window, others in `far`; an unmarked block is empty.
 */

const WINDOW = 1 << 15;
const BLOCK_BITS = 6;
/** Leaves most room for deeper levels. */
const BEST_OFFSET = (WINDOW * 3) >> 2;
/** A best nearer to the base re-centres. */
const LOW_WATER = WINDOW >> 3;

export const NO_KEY = Number.NEGATIVE_INFINITY;

export class LadderSide {
  /** `NO_KEY` when empty. */
  best = NO_KEY;
  readonly #lots = new Float64Array(WINDOW);
  readonly #marks = new Uint8Array(WINDOW >> BLOCK_BITS);
  readonly #far = new Map<number, number>();
  #base = 0;
  #farSorted: number[] | null = null;

  lotsAt(key: number): number {
    const index = key - this.#base;
    if (index >= 0) return index < WINDOW ? this.#lots[index]! : 0;
    return this.#far.size === 0 ? 0 : (this.#far.get(key) ?? 0);
  }

  /** 0 removes the level. */
  set(key: number, lots: number): void {
    const index = key - this.#base;
    if (index < 0 && this.best !== NO_KEY) {
      this.#setFar(key, lots);
      return;
    }
    if (lots === 0) {
      if (index >= 0 && index < WINDOW) this.#removeAt(index, key);
      return;
    }
    if (index < 0 || index >= WINDOW || this.best === NO_KEY) {
      this.#recentre(key);
      this.#put(key - this.#base, lots);
    } else {
      this.#put(index, lots);
    }
    if (key > this.best) this.best = key;
  }

  /** `set` for each row in order; `sign` turns ticks into keys. */
  setRows(ticks: Float64Array, lots: Float64Array, from: number, to: number, sign: 1 | -1): void {
    const quantities = this.#lots;
    const marks = this.#marks;
    let base = this.#base;
    let best = this.best;
    for (let row = from; row < to; row++) {
      const key = sign * ticks[row]!;
      const offset = key - base;
      if (offset >= 0 && key < best) {
        const index = offset | 0;
        quantities[index] = lots[row]!;
        marks[index >>> BLOCK_BITS] = 1;
        continue;
      }
      this.set(key, lots[row]!);
      base = this.#base;
      best = this.best;
    }
  }

  removeAbove(key: number): void {
    while (this.best > key) this.#removeAt(this.best - this.#base, this.best);
  }

  /** Next worse level, or `NO_KEY`. */
  below(key: number): number {
    const from = key - 1 - this.#base;
    const index = from >= 0 ? this.#scanDown(Math.min(from, WINDOW - 1)) : -1;
    if (index >= 0) return this.#base + index;
    return this.#far.size === 0 ? NO_KEY : this.#nextFar(key);
  }

  clear(): void {
    if (this.best === NO_KEY) return;
    for (let block = (this.best - this.#base) >>> BLOCK_BITS; block >= 0; block--) {
      if (this.#marks[block] === 1) this.#empty(block);
    }
    if (this.#far.size > 0) this.#far.clear();
    this.#farSorted = null;
    this.best = NO_KEY;
  }

  #put(index: number, lots: number): void {
    this.#lots[index] = lots;
    this.#marks[index >>> BLOCK_BITS] = 1;
  }

  #empty(block: number): void {
    this.#lots.fill(0, block << BLOCK_BITS, (block + 1) << BLOCK_BITS);
    this.#marks[block] = 0;
  }

  #removeAt(index: number, key: number): void {
    this.#lots[index] = 0;
    if (key === this.best) this.#findBest(index);
  }

  #findBest(from: number): void {
    const index = this.#scanDown(from);
    if (index >= LOW_WATER || (index >= 0 && this.#far.size === 0)) {
      this.best = this.#base + index;
      return;
    }
    this.best = index >= 0 ? this.#base + index : this.#bestFar();
    if (this.best !== NO_KEY) this.#recentre(this.best);
  }

  /** Highest occupied index up to `from`, or -1. Clears empty marks. */
  #scanDown(from: number): number {
    const first = from >>> BLOCK_BITS;
    let index = from;
    for (let block = first; block >= 0; block--) {
      const start = block << BLOCK_BITS;
      if (this.#marks[block] === 1) {
        for (; index >= start; index--) if (this.#lots[index] !== 0) return index;
        if (block !== first) this.#marks[block] = 0;
      }
      index = start - 1;
    }
    return -1;
  }

  #recentre(best: number): void {
    const base = best - BEST_OFFSET;
    if (this.best !== NO_KEY) this.#spill();
    this.#base = base;
    this.#farSorted = null;
    for (const [key, lots] of this.#far) {
      if (key < base) continue;
      this.#far.delete(key);
      this.#put(key - base, lots);
    }
  }

  #spill(): void {
    for (let block = 0; block < this.#marks.length; block++) {
      if (this.#marks[block] === 0) continue;
      for (let index = block << BLOCK_BITS; index < (block + 1) << BLOCK_BITS; index++) {
        if (this.#lots[index] !== 0) this.#far.set(this.#base + index, this.#lots[index]!);
      }
      this.#empty(block);
    }
  }

  #setFar(key: number, lots: number): void {
    if (lots === 0) {
      if (this.#far.delete(key)) this.#farSorted = null;
      return;
    }
    const size = this.#far.size;
    this.#far.set(key, lots);
    if (this.#far.size !== size) this.#farSorted = null;
  }

  #bestFar(): number {
    let best = NO_KEY;
    for (const key of this.#far.keys()) if (key > best) best = key;
    return best;
  }

  #nextFar(key: number): number {
    this.#farSorted ??= [...this.#far.keys()].sort((a, b) => b - a);
    const sorted = this.#farSorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < key) high = middle;
      else low = middle + 1;
    }
    return sorted[low] ?? NO_KEY;
  }
}
