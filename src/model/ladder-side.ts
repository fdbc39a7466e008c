/**
 * One side of the ladder: levels keyed so that the greater key is the better price (bid: ticks, ask: -ticks).
 * Used by `ladder.ts` alone.
 *
 *   far (Map, sorted only when walked)        window (typed arrays)
 *   ... keys < base ...            │ base ··············· best ····· base + WINDOW
 *                                    lots[key - base], one bit per occupied key
 *
 * Invariants: every level with key >= base is in the window, every other one in `far`; the window re-centres when the
 * best would leave it or comes near its base, so memory is fixed but for the far levels that the data really has.
 */

const WINDOW_BITS = 15;
const WINDOW = 1 << WINDOW_BITS;
const WORDS = WINDOW >> 5;
/** Where the best sits after re-centring: most of the room is for deeper levels. */
const BEST_OFFSET = (WINDOW * 3) >> 2;
/** A best closer than this to the base re-centres, so that the busy levels stay in the window. */
const LOW_WATER = WINDOW >> 3;

/** So many levels are cleared one by one: best quotes alone are a book of one level a side, made anew each time. */
const FEW = 16;

/** No level: below every key. */
export const NO_KEY = Number.NEGATIVE_INFINITY;

export class LadderSide {
  /** Key of the best level, `NO_KEY` when the side is empty. */
  best = NO_KEY;
  readonly #lots = new Float64Array(WINDOW);
  readonly #bits = new Uint32Array(WORDS);
  readonly #far = new Map<number, number>();
  #base = 0;
  #inWindow = 0;
  #farSorted: number[] | null = null;

  lotsAt(key: number): number {
    const index = key - this.#base;
    if (index >= 0) return index < WINDOW ? this.#lots[index]! : 0;
    return this.#far.size === 0 ? 0 : (this.#far.get(key) ?? 0);
  }

  /** Sets the quantity of a level; 0 removes it. */
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

  /**
   * Sets rows of one depth message, in their order; `sign` turns ticks into keys. The same as `set` for each row, without
   * a branch for what is as likely as not: whether a level appears, changes or goes.
   */
  setRows(ticks: Float64Array, lots: Float64Array, from: number, to: number, sign: 1 | -1): void {
    const quantities = this.#lots;
    const bits = this.#bits;
    let base = this.#base;
    let best = this.best;
    let added = 0;
    for (let row = from; row < to; row++) {
      const key = sign * ticks[row]!;
      const quantity = lots[row]!;
      const offset = key - base;
      if (offset >= 0 && key < best) {
        // Below the best: inside the window.
        const index = offset | 0;
        const change = Number(quantity !== 0) - Number(quantities[index]! !== 0);
        quantities[index] = quantity;
        bits[index >>> 5] = bits[index >>> 5]! ^ ((change & 1) << (index & 31));
        added += change;
        continue;
      }
      this.#inWindow += added;
      added = 0;
      this.set(key, quantity);
      base = this.#base;
      best = this.best;
    }
    this.#inWindow += added;
  }

  /** Removes all levels better than `key` (greater keys). */
  removeAbove(key: number): void {
    while (this.best > key) this.#removeAt(this.best - this.#base, this.best);
  }

  /** The next level worse than `key`, or `NO_KEY`. */
  below(key: number): number {
    const from = key - 1 - this.#base;
    const index = from >= 0 ? this.#scanDown(Math.min(from, WINDOW - 1)) : -1;
    if (index >= 0) return this.#base + index;
    return this.#far.size === 0 ? NO_KEY : this.#nextFar(key);
  }

  clear(): void {
    if (this.#inWindow > FEW) {
      this.#lots.fill(0);
      this.#bits.fill(0);
    } else if (this.#inWindow > 0) {
      for (let index = this.best - this.#base; index >= 0; index = this.#scanDown(index)) {
        this.#lots[index] = 0;
        this.#bits[index >>> 5] = this.#bits[index >>> 5]! & ~(1 << (index & 31));
      }
    }
    if (this.#far.size > 0) this.#far.clear();
    this.#farSorted = null;
    this.#inWindow = 0;
    this.best = NO_KEY;
  }

  #put(index: number, lots: number): void {
    if (this.#lots[index] === 0) {
      this.#inWindow++;
      const word = index >>> 5;
      this.#bits[word] = this.#bits[word]! | (1 << (index & 31));
    }
    this.#lots[index] = lots;
  }

  #removeAt(index: number, key: number): void {
    if (this.#lots[index] === 0) return;
    this.#lots[index] = 0;
    const word = index >>> 5;
    this.#bits[word] = this.#bits[word]! & ~(1 << (index & 31));
    this.#inWindow--;
    if (key === this.best) this.#findBest(index);
  }

  #findBest(from: number): void {
    const index = this.#inWindow === 0 ? -1 : this.#scanDown(from);
    if (index >= LOW_WATER || (index >= 0 && this.#far.size === 0)) {
      this.best = this.#base + index;
      return;
    }
    this.best = index >= 0 ? this.#base + index : this.#bestFar();
    if (this.best !== NO_KEY) this.#recentre(this.best);
  }

  /** Highest occupied index at or below `from`, or -1. */
  #scanDown(from: number): number {
    let word = from >>> 5;
    const shift = 31 - (from & 31);
    let bits = ((this.#bits[word]! << shift) >>> shift) >>> 0;
    while (bits === 0) {
      if (word === 0) return -1;
      word--;
      bits = this.#bits[word]!;
    }
    return (word << 5) + 31 - Math.clz32(bits);
  }

  /** Moves the window so that `best` has room on both sides; levels change between the window and `far`. */
  #recentre(best: number): void {
    const base = best - BEST_OFFSET;
    if (this.#inWindow > 0) this.#spill();
    this.#base = base;
    this.#farSorted = null;
    for (const [key, lots] of this.#far) {
      if (key < base) continue;
      this.#far.delete(key);
      this.#put(key - base, lots);
    }
  }

  #spill(): void {
    for (let index = this.#scanDown(WINDOW - 1); index >= 0; index = index === 0 ? -1 : this.#scanDown(index - 1)) {
      this.#far.set(this.#base + index, this.#lots[index]!);
    }
    this.#lots.fill(0);
    this.#bits.fill(0);
    this.#inWindow = 0;
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
