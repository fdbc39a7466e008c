/** Events reach the venue in exchange time and strategies in receive time (rule T1). */
import type { BarOpenEvent, MarketSink } from '../../model/market/market-event.ts';
import type { EventCursor, OpeningCursor, Tape, TapeCursor } from '../../recording/tape/tape.ts';
import type { ClockSource, VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import type { DemandFeed } from '../../streams/feeds/demand-feed.ts';
import type { MarketData } from '../../streams/market-data.ts';
import type { SeenTop } from '../../streams/market-values.ts';
import { SeenTops } from '../replay/seen-tops.ts';
import type { TapeColumns } from '../replay/tape-columns.ts';

export class CursorSource<Event> implements ClockSource {
  readonly #cursor: EventCursor<Event>;
  readonly #sink: (event: Event) => void;
  /** Always a number: a field once `undefined` is boxed at each change. */
  nextUs = Infinity;

  constructor(cursor: EventCursor<Event>, sink: (event: Event) => void) {
    this.#cursor = cursor;
    this.#sink = sink;
    this.nextUs = cursor.nextUs;
  }

  run(): void {
    this.#sink(this.#cursor.next());
    this.nextUs = this.#cursor.nextUs;
  }
}

/**
 * Events wait until a price is read, unless there are subscribers. Moves of sampled best prices are published when they
 * happen, as far as the columns know them.
 */
class DemandSource implements ClockSource, DemandFeed {
  readonly #cursor: TapeCursor;
  readonly #market: MarketData;
  readonly #clock: VirtualClock;
  /** Answers what needs no event; null: nothing does. */
  readonly #tops: SeenTops | null;
  /** While waiting, the next published move, or the end of the data. */
  nextUs = Infinity;
  #isWaiting = false;
  #endUs = Infinity;
  #glancedUs = 0;
  /** Events delivered. */
  #delivered = 0;
  /** During the publication of a move: later events of the same instant have not arrived yet. */
  #isTelling = false;
  #isSampled = false;

  constructor(cursor: TapeCursor, market: MarketData, clock: VirtualClock, tops: SeenTops | null) {
    this.#cursor = cursor;
    this.#market = market;
    this.#clock = clock;
    this.#tops = tops;
    this.nextUs = cursor.nextUs;
  }

  /** Events wait from here on, unless they are needed. */
  wait(endUs: () => number): void {
    if (this.#areNeeded || this.nextUs === Infinity) return;
    this.#isWaiting = true;
    this.#isSampled = this.#market.isSampled;
    this.#endUs = endUs();
    this.nextUs = this.#dueUs();
    this.#market.feedOnDemand(this);
  }

  run(): void {
    if (!this.#isWaiting) {
      this.#deliverOne();
      this.nextUs = this.#cursor.nextUs;
    } else if (this.#isSampled && this.#tops!.nextMoveUs <= this.#clock.nowUs()) {
      this.#tell(this.#tops!);
      this.nextUs = this.#isWaiting ? this.#dueUs() : this.#cursor.nextUs;
    } else this.#end();
  }

  /** What is due now was delivered before the timers of this instant (T4). */
  deliver(): void {
    if (!this.#isWaiting) return;
    if (this.#isTelling) while (this.#delivered < this.#tops!.received) this.#deliverOne();
    else this.#deliverUntil(this.#clock.nowUs());
    if (this.#areNeeded) {
      this.#isWaiting = false;
      this.#market.feedsAll();
      this.nextUs = this.#cursor.nextUs;
    } else if (this.#market.isSampled && !this.#isSampled) {
      this.#isSampled = true;
      this.#tops?.at(this.#clock.nowUs());
      this.#tops?.skipMoves();
      if (this.nextUs !== Infinity) this.nextUs = this.#dueUs();
    }
  }

  glance(): SeenTop | undefined | null {
    if (!this.#isWaiting || this.#tops === null) return null;
    this.#glancedUs = this.#clock.nowUs();
    return this.#isTelling ? this.#tops.now() : this.#tops.at(this.#glancedUs);
  }

  settle(): void {
    this.#deliverUntil(this.#glancedUs);
  }

  get #areNeeded(): boolean {
    const { needsEvents, isSampled } = this.#market;
    return needsEvents || (isSampled && this.#tops === null);
  }

  #dueUs(): number {
    return this.#isSampled ? Math.min(this.#endUs, this.#tops!.nextMoveUs) : this.#endUs;
  }

  /** Delivers the open gaps at the end, as in a run that delivers each event. */
  #end(): void {
    this.nextUs = Infinity;
    if (this.#isSampled) this.#market.best(this.#tops!.symbol);
  }

  #tell(tops: SeenTops): void {
    tops.toNextMove();
    this.#isTelling = true;
    try {
      this.#market.topMoved(tops.symbol);
    } finally {
      this.#isTelling = false;
    }
  }

  #deliverUntil(us: number): void {
    while (this.#cursor.nextUs <= us) this.#deliverOne();
  }

  #deliverOne(): void {
    this.#delivered++;
    this.#market.onEvent(this.#cursor.next());
  }
}

export type IsReplayed = () => boolean;

/** Called once, after the venue's first instant and before any market data. */
export type OnOpen = () => void;

export interface ReplayedVenue {
  readonly happened: MarketSink;
  /** In place of both: the market as columns; null where every event is needed. */
  readonly replay?: (columns: TapeColumns['venue']) => ClockSource | null;
  readonly barOpens: ((event: BarOpenEvent) => void) | null;
}

function happenings(
  tape: Tape,
  clock: VirtualClock,
  venue: ReplayedVenue,
  opened: OnOpen | undefined,
  columns: TapeColumns | null = null,
): IsReplayed {
  const replayed = columns === null ? null : (venue.replay?.(columns.venue) ?? null);
  const happened = replayed ?? new CursorSource(tape.cursor('exchange'), venue.happened);
  clock.addSource('venue', happened);
  // After other events of the instant: the previous bar has closed.
  const { barOpens } = venue;
  const isOpened = barOpens === null || replayed !== null;
  const opens = isOpened ? null : new CursorSource(openingsFrom(tape, clock.nowUs()), barOpens);
  if (opens !== null) clock.addSource('venue', opens);
  if (opened !== undefined) {
    clock.advanceTo(clock.nowUs());
    opened();
  }
  return () => happened.nextUs === Infinity && (opens === null || opens.nextUs === Infinity);
}

/** A run over all data begins when the first bar closes. */
function openingsFrom(tape: Tape, fromUs: number): OpeningCursor {
  const openings = tape.openings();
  while (openings.nextUs < fromUs) openings.next();
  return openings;
}

export function replayTape(
  tape: Tape,
  clock: VirtualClock,
  venue: ReplayedVenue,
  strategies: MarketSink,
  opened?: OnOpen,
): IsReplayed {
  const hasHappened = happenings(tape, clock, venue, opened);
  const received = new CursorSource(tape.cursor('receive'), strategies);
  clock.addSource('delivery', received);
  return () => received.nextUs === Infinity && hasHappened();
}

export interface DemandReplay {
  readonly isReplayed: IsReplayed;
  /** Call once the strategies of the data's start have begun. */
  readonly wait: () => void;
}

export function replayOnDemand(
  tape: Tape,
  clock: VirtualClock,
  venue: ReplayedVenue,
  market: MarketData,
  opened?: OnOpen,
  columns: TapeColumns | null = null,
): DemandReplay {
  const hasHappened = happenings(tape, clock, venue, opened, columns);
  const seen = columns === null || columns.seen === null ? null : new SeenTops(columns.seen);
  const received = new DemandSource(tape.cursor('receive'), market, clock, seen);
  clock.addSource('delivery', received);
  return {
    // What ends last comes first: it is asked at each step.
    isReplayed: () => received.nextUs === Infinity && hasHappened(),
    wait: () => received.wait(tape.receivedToUs),
  };
}

export interface ReplayedStrategies {
  readonly received: MarketSink;
  readonly market: MarketData;
}

/** Injected gaps need each event at its time, so none may wait. */
export function replayOf(
  tape: Tape,
  clock: VirtualClock,
  venue: ReplayedVenue,
  { received, market }: ReplayedStrategies,
  opened: OnOpen,
  columns: TapeColumns | null,
): DemandReplay {
  if (received === market.onEvent) return replayOnDemand(tape, clock, venue, market, opened, columns);
  return { isReplayed: replayTape(tape, clock, venue, received, opened), wait: () => {} };
}

/** In a paper session's order: at receipt, venue first. */
export class PaperFeed {
  readonly #cursor: TapeCursor;
  readonly #clock: VirtualClock;
  readonly #venue: MarketSink;
  readonly #strategies: MarketSink;

  constructor(tape: Tape, clock: VirtualClock, venue: MarketSink, strategies: MarketSink) {
    this.#cursor = tape.cursor('receive');
    this.#clock = clock;
    this.#venue = venue;
    this.#strategies = strategies;
  }

  step(): boolean {
    const { nextUs } = this.#cursor;
    if (nextUs === Infinity) return false;
    if (this.#clock.step(nextUs)) return true;
    this.#clock.advanceTo(Math.max(nextUs, this.#clock.nowUs()));
    const event = this.#cursor.next();
    this.#venue(event);
    this.#clock.advanceTo(this.#clock.nowUs());
    this.#strategies(event);
    this.#clock.advanceTo(this.#clock.nowUs());
    return true;
  }
}
