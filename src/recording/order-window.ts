/**
 * Sorts a stream of events by time with bounded memory: events may come out of order by up to one window. What comes
 * later than that takes the time of the last one given out, and is counted in `late`.
 *
 * Also holds the rule of T1 that an event is never before an earlier update id of its symbol (`lift`).
 */
import { IndexSort } from './index-sort.ts';
import { CHUNK_ROWS } from './tape-chunk.ts';

const CAPACITY = 2 * CHUNK_ROWS;
/** An untimed snapshot is moved back before later ids by no more than this. */
const FLOAT_BACK_US = 5_000_000;

/** What `take` answers: addresses in order, valid until the next call, and the first and last time. */
export interface GivenOut {
  readonly addresses: Uint32Array;
  readonly firstUs: number;
  readonly lastUs: number;
}

/** Marks of an event. A snapshot is lifted and lifts nothing. */
const SNAPSHOT = 1;
/** It has no time of its own. */
const GUESSED = 2;
const FINAL = 4;
const GIVEN_OUT = 255;

/** No update id, or none that orders. */
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

  /** Events that came more than a window too late. */
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

  /** Makes times of each group grow with its ids. */
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

  /** Writes the times of events that can still change into a column whose first row has the address `base`. */
  store(base: number, column: Float64Array): void {
    for (let at = 0; at < this.#count; at++) {
      const row = this.#address[at]! - base;
      if (row >= 0 && row < column.length && (this.#mark[at]! & FINAL) === 0) column[row] = this.#time[at]!;
    }
  }

  /** From now on the times of events with addresses below `end` do not change any more. */
  settle(end: number): void {
    for (let at = 0; at < this.#count; at++) {
      if (this.#address[at]! < end) this.#mark[at] = this.#mark[at]! | FINAL;
    }
  }

  /** Takes the earliest events out, in order of time and address, and leaves the latest `keep`. */
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
   * The members stand in the first `count` indexes. First guessed times go back before known ones of later ids, so that no
   * guess can push a known time on; then what lies before an earlier id is lifted.
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
