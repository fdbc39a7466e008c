/**
 * Facts of a one-symbol tape, computed before a replay: the venue's market (exchange order) and the best prices that
 * strategies see (receive order). Computed in one pass each, without orders or strategies. Kept with a shared tape.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { NO_SHIFT, type SavedBook, type TapeShift } from '../../model/book/saved-book.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import type { DeliveryOrder, Tape } from '../../recording/tape/tape.ts';
import { barColumns, type BarColumns } from '../../simulation/columns/bar-columns.ts';
import type { ReplayColumns } from '../../simulation/columns/column-feed.ts';
import { ColumnsBuilder } from '../../simulation/columns/columns-builder.ts';
import { doubles, integers } from '../../simulation/columns/growing-column.ts';
import type { Tops } from '../../simulation/columns/market-columns.ts';
import { TopsBuilder } from '../../simulation/columns/tops-builder.ts';
import { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import { MarketData } from '../../streams/market-data.ts';
import type { SeenTop } from '../../streams/market-values.ts';
import { tapeSync } from './tape-sync.ts';

/** Columns of so many need 170 MB. */
const EVENTS_MAX = 4_000_000;
/** Of all passes: 90 MB. */
const BARS_MAX = 1_000_000;

/** After each message in receive order. 0 lots: a side is empty, or a book is only to come; NaN: no usable book. */
export interface SeenPass extends Tops {
  /** Exchange time of the book, µs. */
  readonly bookUs: Float64Array;
  /** Messages that moved the best prices of a usable book. */
  readonly moves: Uint32Array;
}

/** In receive order. */
export interface SeenColumns {
  readonly instrument: Instrument;
  readonly us: Float64Array;
  readonly passes: number;
  readonly first: SeenPass;
  readonly later: SeenPass;
  readonly shiftUs: (pass: number) => number;
}

export interface TapeColumns {
  readonly venue: ReplayColumns | BarColumns;
  /** Null: on bars every one is delivered. */
  readonly seen: SeenColumns | null;
}

/** Null where a replay needs every event: several symbols, bars beside a book, too many events, or passes that do not repeat. */
export function columnsOf(tape: Tape): TapeColumns | null {
  const known = tape.derived.get('columns') as Made | BarColumns | null | undefined;
  const made = known === undefined ? make(tape) : known;
  tape.derived.set('columns', made);
  if (made === null) return null;
  if ('kind' in made) return { venue: made, seen: null };
  const { passes } = tape;
  const shiftOf = (pass: number): TapeShift => tape.shiftOf(pass);
  const venue = {
    kind: 'book' as const,
    ...made.venue,
    passes,
    shiftOf,
    cursor: (pass: number) => tape.cursor('exchange', pass),
  };
  return { venue, seen: { ...made.seen, passes, shiftUs: (pass) => shiftOf(pass).us } };
}

interface Made {
  readonly venue: Omit<ReplayColumns, 'kind' | 'passes' | 'shiftOf' | 'cursor'>;
  readonly seen: Omit<SeenColumns, 'passes' | 'shiftUs'>;
}

function make(tape: Tape): Made | BarColumns | null {
  const [instrument, ...others] = tape.instruments;
  const { total, candles, depth } = tape.counts;
  if (instrument === undefined || others.length > 0) return null;
  if (candles === total && total <= BARS_MAX)
    return barColumns(instrument, candles, tape.cursor('exchange'), tape.openings());
  if (candles > 0 || depth === 0) return null;
  if (total / tape.passes > EVENTS_MAX) return null;
  const venue = makeVenue(tape, instrument);
  const seen = venue === null ? null : makeSeen(tape, instrument);
  return venue === null || seen === null ? null : { venue, seen };
}

function makeVenue(tape: Tape, instrument: Instrument): Made['venue'] | null {
  const builder = new ColumnsBuilder(instrument, tapeSync(tape)(instrument.symbol));
  const twice = twoPasses(tape, 'exchange', {
    add: (event) => builder.add(event),
    addAgain: (event) => builder.addAgain(event),
    saved: (shift) => builder.saved(shift),
    endPass: () => builder.endPass(),
  });
  return twice === null ? null : { columns: builder.build(), ...twice };
}

function makeSeen(tape: Tape, instrument: Instrument): Made['seen'] | null {
  const { symbol } = instrument;
  const instruments = new Instruments([instrument.spec]);
  const sync = tapeSync(tape);
  const market = new MarketData({
    instruments,
    clock: new VirtualClock(0),
    sequenceRule: () => sync(symbol).rule,
    bookStart: () => sync(symbol).start,
  });
  const us = doubles();
  let seen = new SeenBuilder(0);
  market.follow(symbol, 'quote', () => seen.moved());
  const addAgain = (event: MarketEvent): void => {
    market.onEvent(event);
    seen.add(market.best(symbol) ?? (market.mid(symbol) === undefined ? UNUSABLE : UNKNOWN));
  };
  const twice = twoPasses(tape, 'receive', {
    add: (event) => {
      us.push(event.receiveUs);
      addAgain(event);
    },
    addAgain,
    saved: (shift) => market.savedBook(symbol, shift),
    endPass: () => {
      const built = seen.build();
      seen = new SeenBuilder(tape.shiftOf(1).us);
      return built;
    },
  });
  return twice === null ? null : { instrument, us: us.values(), first: twice.first, later: twice.later };
}

class SeenBuilder {
  readonly #tops = new TopsBuilder();
  readonly #bookUs = doubles();
  readonly #moves = integers();
  readonly #shiftUs: number;

  constructor(shiftUs: number) {
    this.#shiftUs = shiftUs;
  }

  /** By the message that is added next. */
  moved(): void {
    this.#moves.push(this.#tops.length);
  }

  add(best: Omit<SeenTop, 'instrument'>): void {
    this.#tops.add(best);
    this.#bookUs.push(best.exchangeUs - this.#shiftUs);
  }

  build(): SeenPass {
    return { ...this.#tops.build(), bookUs: this.#bookUs.values(), moves: this.#moves.values() };
  }
}

const UNKNOWN = { exchangeUs: 0, bidTicks: 0, bidLots: 0, askTicks: 0, askLots: 0 };
const UNUSABLE = { ...UNKNOWN, bidLots: Number.NaN, askLots: Number.NaN };

interface PassBuilder<Pass> {
  add(event: MarketEvent): void;
  addAgain(event: MarketEvent): void;
  saved(shift: TapeShift): SavedBook | null;
  endPass(): Pass;
}

interface Passes<Pass> {
  readonly first: Pass;
  readonly later: Pass;
  readonly end: SavedBook | null;
}

/** The first pass and the second. Where both leave the same book, so does every later one; else null. */
function twoPasses<Pass>(tape: Tape, order: DeliveryOrder, builder: PassBuilder<Pass>): Passes<Pass> | null {
  const cursor = tape.cursor(order);
  let count = 0;
  for (; isOf(0); count++) builder.add(cursor.next());
  const first = builder.endPass();
  if (tape.passes === 1) return { first, later: first, end: null };
  const end = builder.saved(NO_SHIFT);
  for (; isOf(1); count--) builder.addAgain(cursor.next());
  const later = builder.endPass();
  const again = builder.saved(tape.shiftOf(1));
  if (end === null || count !== 0 || JSON.stringify(end) !== JSON.stringify(again)) return null;
  return { first, later, end };

  function isOf(pass: number): boolean {
    return cursor.nextUs !== Infinity && tape.passOf(cursor.nextSequence) === pass;
  }
}
