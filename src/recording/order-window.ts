/**
 * Sorts a stream of events by time with bounded memory: events may come out of order by up to one window. What comes
 * later than that takes the time of the last one given out, and is counted in `late`.
 *
 * Also holds the rule of T1 that an event is never before an earlier update id of its symbol (`lift`).
 */
import { CHUNK_ROWS } from './tape-chunk.ts';

const CAPACITY = 2 * CHUNK_ROWS;
/** An untimed snapshot is moved back before later ids by no more than this. */
const FLOAT_BACK_US = 5_000_000;

/** No update id, or none that orders. */
export const NO_GROUP = -1;

export class OrderWindow {
  readonly #address = new Uint32Array(CAPACITY);
  readonly #time = new Float64Array(CAPACITY);
  readonly #group = new Int32Array(CAPACITY);
  readonly #id = new Float64Array(CAPACITY);
  /** 1: a snapshot (is lifted, lifts nothing), 2: without a time of its own, 4: time is final. */
  readonly #mark = new Uint8Array(CAPACITY);
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
    this.#mark[at] = snapshot ? (untimed ? 3 : 1) : 0;
  }

  /** Makes times of each group grow with its ids. */
  lift(): void {
    const groups = new Map<number, number[]>();
    for (let at = 0; at < this.#count; at++) {
      const group = this.#group[at]!;
      if (group === NO_GROUP) continue;
      const members = groups.get(group);
      if (members === undefined) groups.set(group, [at]);
      else members.push(at);
    }
    for (const members of groups.values()) this.#liftGroup(members);
  }

  /** Calls `each` with address and time of every event whose time can still change. */
  visitOpen(each: (address: number, timeUs: number) => void): void {
    for (let at = 0; at < this.#count; at++) {
      if ((this.#mark[at]! & 4) === 0) each(this.#address[at]!, this.#time[at]!);
    }
  }

  /** From now on the times of events with addresses below `end` do not change any more. */
  settle(end: number): void {
    for (let at = 0; at < this.#count; at++) {
      if (this.#address[at]! < end) this.#mark[at] = this.#mark[at]! | 4;
    }
  }

  /** Takes the earliest events out, in order of time and address, and leaves the latest `keep`. */
  take(keep: number): { readonly addresses: Uint32Array; readonly times: Float64Array } {
    const time = this.#time;
    const address = this.#address;
    const order: number[] = [];
    for (let at = 0; at < this.#count; at++) order.push(at);
    order.sort((a, b) => time[a]! - time[b]! || address[a]! - address[b]!);
    const emitted = Math.max(0, order.length - keep);
    const addresses = new Uint32Array(emitted);
    const times = new Float64Array(emitted);
    for (let index = 0; index < emitted; index++) {
      addresses[index] = address[order[index]!]!;
      times[index] = time[order[index]!]!;
    }
    if (emitted > 0) this.#frontierUs = times[emitted - 1]!;
    this.#compact(order.slice(emitted).sort((a, b) => a - b));
    return { addresses, times };
  }

  #liftGroup(members: number[]): void {
    const id = this.#id;
    const time = this.#time;
    const address = this.#address;
    members.sort((a, b) => id[a]! - id[b]! || address[a]! - address[b]!);
    let laterUs = Infinity;
    for (let index = members.length - 1; index >= 0; index--) {
      const at = members[index]!;
      if ((this.#mark[at]! & 6) === 2 && laterUs > time[at]! - FLOAT_BACK_US) {
        time[at] = Math.max(Math.min(time[at]!, laterUs), this.#frontierUs);
      }
      if ((this.#mark[at]! & 1) === 0) laterUs = Math.min(laterUs, time[at]!);
    }
    let earlierUs = -Infinity;
    for (const at of members) {
      if (time[at]! < earlierUs && (this.#mark[at]! & 4) === 0) time[at] = earlierUs;
      if ((this.#mark[at]! & 1) === 0 && time[at]! > earlierUs) earlierUs = time[at]!;
    }
  }

  #compact(kept: readonly number[]): void {
    let to = 0;
    for (const from of kept) {
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
