/** Tape cursors over a file, over memory, or chained (`--repeat`), one event ahead for `nextUs`. */
import type { Instrument } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import { ChunkEvents, FIRST_PASS, type Repetition } from './chunk-events.ts';
import { CHUNK_ROW_BITS, CHUNK_ROWS, type TapeChunk } from './tape-chunk.ts';
import type { TapeFile } from './tape-file.ts';
import type { OrderEntry } from './tape-format.ts';
import type { DeliveryOrder, EventCursor, TapeCursor } from './tape.ts';

/** Exchange times, µs: from inclusive, to exclusive. */
export interface Period {
  readonly fromUs: number;
  readonly toUs: number;
}

export const WHOLE: Period = Object.freeze({ fromUs: -Infinity, toUs: Infinity });

/** Makes ties go by source and pass, then record. */
export const SOURCE_STRIDE = 2 ** 36;
export const PASS_STRIDE = 2 ** 44;

export function atEnd(): never {
  throw new RangeError('the tape is at its end');
}

export class FileCursor implements TapeCursor {
  nextUs = Infinity;
  nextSequence = Infinity;
  readonly #file: TapeFile;
  readonly #byExchange: boolean;
  readonly #period: Period;
  readonly #filtered: boolean;
  readonly #shiftUs: number;
  readonly #firstSequence: number;
  readonly #orders: readonly OrderEntry[];
  readonly #events: ChunkEvents | null;
  #addresses: Uint32Array = new Uint32Array(0);
  #at = 0;
  #entry = 0;
  #chunkIndex = 0;
  #chunk: TapeChunk;
  #row = 0;
  /** The neighbour chunk, used in turns near a border. */
  #otherIndex = -1;
  #other: TapeChunk | null = null;
  /** The chunk of the last returned event. */
  #givenIndex = -1;
  /** Held for the last event after the cursor moved on. */
  #keptIndex = -1;

  constructor(
    file: TapeFile,
    instruments: readonly Instrument[],
    order: DeliveryOrder,
    period: Period,
    firstSequence: number,
    repetition: Repetition = FIRST_PASS,
  ) {
    this.#file = file;
    this.#byExchange = order === 'exchange';
    this.#period = period;
    this.#filtered = period !== WHOLE;
    this.#shiftUs = this.#byExchange ? repetition.shiftUs : repetition.receiveShiftUs;
    this.#firstSequence = firstSequence;
    this.#orders = this.#byExchange ? file.footer.exchangeOrder : file.footer.receiveOrder;
    if (file.footer.chunks.length === 0) {
      this.#events = null;
      this.#chunk = EMPTY;
      return;
    }
    this.#chunk = file.hold(0);
    this.#events = new ChunkEvents(instruments, this.#chunk, repetition);
    this.#advance();
  }

  next(): MarketEvent {
    const events = this.#events;
    if (events === null || this.nextUs === Infinity) return atEnd();
    if (this.#keptIndex >= 0) {
      this.#file.release(this.#keptIndex);
      this.#keptIndex = -1;
    }
    this.#givenIndex = this.#chunkIndex;
    events.setChunk(this.#chunk);
    const event = events.at(this.#row);
    this.#advance();
    return event;
  }

  #advance(): void {
    do {
      if (this.#at === this.#addresses.length && !this.#nextOrder()) {
        this.nextUs = Infinity;
        this.nextSequence = Infinity;
        return;
      }
      const address = this.#addresses[this.#at++]!;
      const index = address >>> CHUNK_ROW_BITS;
      if (index !== this.#chunkIndex) this.#enter(index);
      this.#row = address & (CHUNK_ROWS - 1);
      this.nextSequence = this.#firstSequence + address;
    } while (this.#filtered && !this.#inPeriod());
    const times = this.#byExchange ? this.#chunk.exchangeUs : this.#chunk.receiveUs;
    this.nextUs = times[this.#row]! + this.#shiftUs;
  }

  #inPeriod(): boolean {
    const us = this.#chunk.exchangeUs[this.#row]!;
    return us >= this.#period.fromUs && us < this.#period.toUs;
  }

  #enter(index: number): void {
    const left = this.#chunk;
    const leftIndex = this.#chunkIndex;
    if (index === this.#otherIndex && this.#other !== null) {
      this.#chunk = this.#other;
    } else {
      if (this.#otherIndex >= 0) this.#leave(this.#otherIndex);
      this.#chunk = this.#file.hold(index);
    }
    this.#chunkIndex = index;
    this.#other = left;
    this.#otherIndex = leftIndex;
  }

  /** Deferred while the last event refers to it. */
  #leave(index: number): void {
    if (index === this.#givenIndex && this.#keptIndex < 0) this.#keptIndex = index;
    else this.#file.release(index);
  }

  #nextOrder(): boolean {
    const entry = this.#orders[this.#entry];
    if (entry === undefined) return false;
    this.#entry++;
    this.#addresses = this.#file.order(entry);
    this.#at = 0;
    return this.#addresses.length > 0 || this.#nextOrder();
  }
}

const EMPTY: TapeChunk = {
  bytes: new Uint8Array(0),
  rows: 0,
  exchangeUs: new Float64Array(0),
  receiveUs: new Float64Array(0),
  values: new Float64Array(0),
  ticks: new Float64Array(0),
  lots: new Float64Array(0),
  valueAt: new Uint32Array(0),
  levelAt: new Uint32Array(1),
  symbols: new Uint16Array(0),
  kinds: new Uint8Array(0),
  flags: new Uint8Array(0),
  sides: new Uint8Array(0),
  strings: [],
};

/** Ordered events in memory. */
export class ListCursor implements TapeCursor {
  readonly #events: readonly MarketEvent[];
  readonly #byExchange: boolean;
  readonly #firstSequence: number;
  #at = 0;

  constructor(events: readonly MarketEvent[], order: DeliveryOrder, firstSequence: number) {
    this.#events = events;
    this.#byExchange = order === 'exchange';
    this.#firstSequence = firstSequence;
  }

  get nextUs(): number {
    const event = this.#events[this.#at];
    if (event === undefined) return Infinity;
    return this.#byExchange ? event.exchangeUs : event.receiveUs;
  }

  get nextSequence(): number {
    return this.#at < this.#events.length ? this.#firstSequence + this.#at : Infinity;
  }

  next(): MarketEvent {
    return this.#events[this.#at++] ?? atEnd();
  }
}

/** Each is made when the previous has ended. */
export class ChainCursor<Event> implements EventCursor<Event> {
  nextUs = Infinity;
  nextSequence = Infinity;
  readonly #make: (pass: number) => EventCursor<Event>;
  readonly #passes: number;
  #pass = 0;
  #current: EventCursor<Event>;

  constructor(passes: number, make: (pass: number) => EventCursor<Event>, fromPass = 0) {
    this.#make = make;
    this.#passes = passes;
    this.#pass = fromPass;
    this.#current = make(fromPass);
    this.#look();
  }

  next(): Event {
    const event = this.#current.next();
    this.#look();
    return event;
  }

  #look(): void {
    while (this.#current.nextUs === Infinity && this.#pass + 1 < this.#passes) {
      this.#pass++;
      this.#current = this.#make(this.#pass);
    }
    this.nextUs = this.#current.nextUs;
    this.nextSequence = this.#current.nextSequence;
  }
}
