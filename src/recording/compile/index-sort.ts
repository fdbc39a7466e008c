/** Stable merge sort of indexes by one or two keys; nearly one pass on nearly sorted input. */

const RUN = 32;

/** By `major[index]`, then `minor[index]`, ascending. */
export class IndexSort {
  #scratch = new Int32Array(0);

  sort(indexes: Int32Array, count: number, major: ArrayLike<number>, minor: ArrayLike<number>): void {
    if (this.#scratch.length < count) this.#scratch = new Int32Array(indexes.length);
    for (let from = 0; from < count; from += RUN) insertion(indexes, from, Math.min(from + RUN, count), major, minor);
    for (let width = RUN; width < count; width *= 2) {
      for (let from = 0; from + width < count; from += 2 * width) {
        this.#merge(indexes, from, from + width, Math.min(from + 2 * width, count), major, minor);
      }
    }
  }

  #merge(
    indexes: Int32Array,
    from: number,
    middle: number,
    to: number,
    major: ArrayLike<number>,
    minor: ArrayLike<number>,
  ): void {
    if (!isAfter(indexes[middle - 1]!, indexes[middle]!, major, minor)) return;
    const scratch = this.#scratch;
    for (let at = from; at < middle; at++) scratch[at] = indexes[at]!;
    let left = from;
    let right = middle;
    let at = from;
    while (left < middle && right < to) {
      const takeRight = isAfter(scratch[left]!, indexes[right]!, major, minor);
      indexes[at++] = takeRight ? indexes[right++]! : scratch[left++]!;
    }
    while (left < middle) indexes[at++] = scratch[left++]!;
  }
}

function isAfter(a: number, b: number, major: ArrayLike<number>, minor: ArrayLike<number>): boolean {
  const difference = major[a]! - major[b]!;
  return difference > 0 || (difference === 0 && minor[a]! > minor[b]!);
}

function insertion(
  indexes: Int32Array,
  from: number,
  to: number,
  major: ArrayLike<number>,
  minor: ArrayLike<number>,
): void {
  for (let at = from + 1; at < to; at++) {
    const index = indexes[at]!;
    let place = at;
    while (place > from && isAfter(indexes[place - 1]!, index, major, minor)) {
      indexes[place] = indexes[place - 1]!;
      place--;
    }
    indexes[place] = index;
  }
}
