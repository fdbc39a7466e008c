/**
 * An index by texts with a rising number, such as `sim-17`: a ring by number, which avoids hashing. Others and
 * collisions go to a map.
 */

const RING_START = 256;
const RING_MAX = 1 << 17;
const GROWTH = 4;
/** Below this load a collision does not grow it. */
const FILLED_PART = 0.25;
/** From the end; fits a small integer. */
const DIGITS_MAX = 9;
const [ZERO, NINE] = [48, 57];

function numberAtEnd(text: string): number {
  let number = 0;
  let unit = 1;
  let at = text.length - 1;
  for (const least = Math.max(0, at - DIGITS_MAX + 1); at >= least; at--) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    number += (code - ZERO) * unit;
    unit *= 10;
  }
  return unit === 1 ? -1 : number;
}

export class NumberedIndex<T> {
  #names: (string | undefined)[] = emptyRing();
  #items: (T | undefined)[] = emptyRing();
  #count = 0;
  readonly #others = new Map<string, T>();

  get(name: string): T | undefined {
    const at = numberAtEnd(name) & (this.#names.length - 1);
    if (this.#names[at] === name) return this.#items[at];
    return this.#others.size === 0 ? undefined : this.#others.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, item: T): void {
    const number = numberAtEnd(name);
    if (number < 0 || (this.#others.size > 0 && this.#others.has(name))) this.#others.set(name, item);
    else this.#place(number, name, item);
  }

  delete(name: string): void {
    const at = numberAtEnd(name) & (this.#names.length - 1);
    if (this.#names[at] !== name) {
      if (this.#others.size > 0) this.#others.delete(name);
      return;
    }
    this.#names[at] = undefined;
    this.#items[at] = undefined;
    this.#count--;
  }

  #place(number: number, name: string, item: T): void {
    for (;;) {
      const { length } = this.#names;
      const at = number & (length - 1);
      const there = this.#names[at];
      if (there === undefined || there === name) {
        this.#names[at] = name;
        this.#items[at] = item;
        if (there === undefined) this.#count++;
        return;
      }
      if (length >= RING_MAX || this.#count < length * FILLED_PART) {
        this.#others.set(name, item);
        return;
      }
      this.#grow();
    }
  }

  #grow(): void {
    const names = this.#names;
    const items = this.#items;
    const length = Math.min(names.length * GROWTH, RING_MAX);
    this.#names = emptyRing(length);
    this.#items = emptyRing(length);
    for (let from = 0; from < names.length; from++) {
      const name = names[from];
      if (name === undefined) continue;
      const at = numberAtEnd(name) & (length - 1);
      this.#names[at] = name;
      this.#items[at] = items[from];
    }
  }
}

function emptyRing<T>(length = RING_START): (T | undefined)[] {
  const ring: (T | undefined)[] = [];
  ring.length = length;
  return ring.fill(undefined);
}
