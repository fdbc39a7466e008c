/**
 * Several cursors as one, by time, then sequence.
 *
 * The first stays first up to `#boundUs`: one comparison per event. Few cursors are scanned, many kept in a heap.
 */
import { atEnd } from './cursors.ts';
import type { EventCursor } from './tape.ts';

/** Measured. */
const FEW_CURSORS = 4;

export class MergedCursor<Event> implements EventCursor<Event> {
  nextUs = Infinity;
  nextSequence = Infinity;
  /** Few: as given. Many: a heap, first at 0. Ended ones are removed. */
  readonly #cursors: EventCursor<Event>[];
  readonly #few: boolean;
  #first: EventCursor<Event> | null = null;
  /** Earliest next event of all others. */
  #boundUs = Infinity;

  constructor(cursors: readonly EventCursor<Event>[], fewMax: number = FEW_CURSORS) {
    this.#cursors = cursors.filter(({ nextUs }) => nextUs < Infinity);
    this.#few = this.#cursors.length <= fewMax;
    if (!this.#few) for (let at = (this.#cursors.length >>> 1) - 1; at >= 0; at--) this.#sink(at);
    this.#choose();
  }

  next(): Event {
    const first = this.#first;
    if (first === null) return atEnd();
    const event = first.next();
    const { nextUs } = first;
    if (nextUs < this.#boundUs) {
      this.nextUs = nextUs;
      this.nextSequence = first.nextSequence;
      return event;
    }
    if (nextUs === Infinity) this.#drop(first);
    else if (!this.#few) this.#sink(0);
    this.#choose();
    return event;
  }

  #drop(ended: EventCursor<Event>): void {
    const cursors = this.#cursors;
    if (this.#few) {
      cursors.splice(cursors.indexOf(ended), 1);
      return;
    }
    const last = cursors.pop()!;
    if (cursors.length === 0) return;
    cursors[0] = last;
    this.#sink(0);
  }

  #choose(): void {
    if (this.#few) this.#lookThrough();
    else this.#takeTop();
    const first = this.#first;
    this.nextUs = first === null ? Infinity : first.nextUs;
    this.nextSequence = first === null ? Infinity : first.nextSequence;
  }

  #lookThrough(): void {
    const cursors = this.#cursors;
    let first: EventCursor<Event> | null = null;
    let firstUs = Infinity;
    let boundUs = Infinity;
    for (let index = 0; index < cursors.length; index++) {
      const cursor = cursors[index]!;
      const us = cursor.nextUs;
      if (us < firstUs || (us === firstUs && first !== null && cursor.nextSequence < first.nextSequence)) {
        boundUs = firstUs;
        firstUs = us;
        first = cursor;
      } else if (us < boundUs) boundUs = us;
    }
    this.#first = first;
    this.#boundUs = boundUs;
  }

  #takeTop(): void {
    const heap = this.#cursors;
    this.#first = heap.length > 0 ? heap[0]! : null;
    this.#boundUs = heap.length > 1 ? heap[1]!.nextUs : Infinity;
    if (heap.length > 2 && heap[2]!.nextUs < this.#boundUs) this.#boundUs = heap[2]!.nextUs;
  }

  #sink(from: number): void {
    const heap = this.#cursors;
    const cursor = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, cursor)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = cursor;
  }
}

function isBefore(left: EventCursor<unknown>, right: EventCursor<unknown>): boolean {
  return left.nextUs < right.nextUs || (left.nextUs === right.nextUs && left.nextSequence < right.nextSequence);
}
