/**
 * Sorts events by time with bounded memory: they may be out of order by one window. One that is later takes the last time given
 * out, and counts in `late`.
 *
 * `lift` keeps events behind earlier update ids of their symbol.
 */
import { IndexSort } from './index-sort.ts';
import { CHUNK_ROWS } from '../tape/tape-chunk.ts';

const CAPACITY = 2 * CHUNK_ROWS;
/** Most by which an untimed snapshot is moved back before later ids. */
const FLOAT_BACK_US = 5_000_000;

/** In order, valid until the next call. */
export interface GivenOut {
  readonly addresses: Uint32Array;
  readonly firstUs: number;
  readonly lastUs: number;
}

/** A snapshot is lifted and lifts nothing. */
const SNAPSHOT = 1;
/** No time of its own. */
const GUESSED = 2;
const FINAL = 4;
const GIVEN_OUT = 255;

/** No ordering update id. */
export const NO_GROUP = -1;

export class OrderWindow {
  readonly #address = new Uint32Array(CAPACITY);
  readonly #time = new Float64Array(CAPACITY);
  readonly #group = new Int32Array(CAPACITY);
  readonly #id = new Float64Array(CAPACITY);
  readonly #mark = new Uint8Array(CAPACITY);
  readonly #indexes = new Int32Array(CAPACITY);
  readonly #given = new Uint32Array(CAPACITY);
  readonly #sorter = new IndexSort();
  #count = 0;
  #frontierUs = -Infinity;
  #late = 0;

  get count(): number {
    return this.#count;
  }

  /** Events more than a window late. */
  get late(): number {
    return this.#late;
  }

  add(address: number, timeUs: number, group = NO_GROUP, id = 0, snapshot = false, untimed = false): void {
    const at = this.#count++;
    if (timeUs < this.#frontierUs) this.#late++;
    this.#address[at] = address;
    this.#time[at] = Math.max(timeUs, this.#frontierUs);
    this.#group[at] = group;
    this.#id[at] = id;
    this.#mark[at] = (snapshot ? SNAPSHOT : 0) | (untimed ? GUESSED : 0);
  }

  /** Makes the times of each group rise with its ids. */
  lift(): void {
    const groups = new Set<number>();
    for (let at = 0; at < this.#count; at++) {
      if (this.#group[at] !== NO_GROUP) groups.add(this.#group[at]!);
    }
    for (const group of groups) {
      let members = 0;
      for (let at = 0; at < this.#count; at++) {
        if (this.#group[at] === group) this.#indexes[members++] = at;
      }
      this.#liftGroup(members);
    }
  }

  /** The column's first row has address `base`. */
  store(base: number, column: Float64Array): void {
    for (let at = 0; at < this.#count; at++) {
      const row = this.#address[at]! - base;
      if (row >= 0 && row < column.length && (this.#mark[at]! & FINAL) === 0) column[row] = this.#time[at]!;
    }
  }

  /** Times of addresses below `end` become final. */
  settle(end: number): void {
    for (let at = 0; at < this.#count; at++) {
      if (this.#address[at]! < end) this.#mark[at] = this.#mark[at]! | FINAL;
    }
  }

  /** Takes the earliest events out, by time and address; the latest `keep` stay. */
  take(keep: number): GivenOut {
    const count = this.#count;
    const order = this.#indexes;
    for (let at = 0; at < count; at++) order[at] = at;
    this.#sorter.sort(order, count, this.#time, this.#address);
    const emitted = Math.max(0, count - keep);
    const firstUs = emitted > 0 ? this.#time[order[0]!]! : Number.NaN;
    for (let index = 0; index < emitted; index++) {
      const at = order[index]!;
      this.#given[index] = this.#address[at]!;
      this.#frontierUs = this.#time[at]!;
      this.#mark[at] = GIVEN_OUT;
    }
    this.#compact();
    return { addresses: this.#given.subarray(0, emitted), firstUs, lastUs: this.#frontierUs };
  }

  /**
   * The members stand in the first `count` indexes. Guessed times go before known ones of later ids first, so that no guess moves a
   * known time.
   */
  #liftGroup(count: number): void {
    this.#sorter.sort(this.#indexes, count, this.#id, this.#address);
    this.#floatBack(count);
    const time = this.#time;
    let earlierUs = -Infinity;
    for (let index = 0; index < count; index++) {
      const at = this.#indexes[index]!;
      const mark = this.#mark[at]!;
      if (time[at]! < earlierUs && (mark & FINAL) === 0) time[at] = earlierUs;
      if ((mark & SNAPSHOT) === 0 && time[at]! > earlierUs) earlierUs = time[at]!;
    }
  }

  #floatBack(count: number): void {
    const time = this.#time;
    let laterUs = Infinity;
    let knownUs = Infinity;
    for (let index = count - 1; index >= 0; index--) {
      const at = this.#indexes[index]!;
      const mark = this.#mark[at]!;
      const isSnapshot = (mark & SNAPSHOT) !== 0;
      const boundUs = isSnapshot ? laterUs : knownUs;
      const isFree = (mark & (GUESSED | FINAL)) === GUESSED;
      if (isFree && boundUs < time[at]! && (!isSnapshot || boundUs > time[at]! - FLOAT_BACK_US)) {
        time[at] = Math.max(boundUs, this.#frontierUs);
      }
      if (isSnapshot) continue;
      laterUs = Math.min(laterUs, time[at]!);
      if ((mark & GUESSED) === 0) knownUs = Math.min(knownUs, time[at]!);
    }
  }

  #compact(): void {
    let to = 0;
    for (let from = 0; from < this.#count; from++) {
      if (this.#mark[from] === GIVEN_OUT) continue;
      this.#address[to] = this.#address[from]!;
      this.#time[to] = this.#time[from]!;
      this.#group[to] = this.#group[from]!;
      this.#id[to] = this.#id[from]!;
      this.#mark[to] = this.#mark[from]!;
      to++;
    }
    this.#count = to;
  }
}
