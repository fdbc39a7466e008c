/** Events reach the venue in exchange time and strategies in receive time (rule T1). */
import type { BookSyncOptions } from '../model/book-sync.ts';
import type { BarOpenEvent, MarketSink } from '../model/market-event.ts';
import type { EventCursor, OpeningCursor, Tape, TapeCursor } from '../recording/tape.ts';
import type { ClockSource, VirtualClock } from '../simulation/virtual-clock.ts';
import type { MarketData } from '../streams/market-data.ts';

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

/** Without subscribers events wait until a price is read. */
class DemandSource implements ClockSource {
  readonly #cursor: TapeCursor;
  readonly #market: MarketData;
  readonly #clock: VirtualClock;
  /** While waiting, the end of the data. */
  nextUs = Infinity;
  #isWaiting = false;

  constructor(cursor: TapeCursor, market: MarketData, clock: VirtualClock) {
    this.#cursor = cursor;
    this.#market = market;
    this.#clock = clock;
    this.nextUs = cursor.nextUs;
  }

  /** Events wait from here on, unless there are subscribers. */
  wait(endUs: () => number): void {
    if (this.#market.isWatched || this.nextUs === Infinity) return;
    this.#isWaiting = true;
    this.nextUs = endUs();
    this.#market.feedOnDemand(() => this.#catchUp());
  }

  run(): void {
    if (this.#isWaiting) {
      this.nextUs = Infinity;
      return;
    }
    this.#market.onEvent(this.#cursor.next());
    this.nextUs = this.#cursor.nextUs;
  }

  /** What is due now was delivered before the timers of this instant (T4). */
  #catchUp(): void {
    if (!this.#isWaiting) return;
    const nowUs = this.#clock.nowUs();
    while (this.#cursor.nextUs <= nowUs) this.#market.onEvent(this.#cursor.next());
    if (!this.#market.isWatched) return;
    this.#isWaiting = false;
    this.nextUs = this.#cursor.nextUs;
  }
}

/** How depth is sequenced (T5). */
export function tapeSync(tape: Tape): (symbol: string) => Required<Pick<BookSyncOptions, 'rule' | 'start'>> {
  return (symbol) => ({
    rule: tape.rules.get(symbol) ?? 'none',
    start: tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates',
  });
}

export type IsReplayed = () => boolean;

/** Called once, after the venue's first instant and before any market data. */
export type OnOpen = () => void;

export interface ReplayedVenue {
  readonly happened: MarketSink;
  readonly barOpens: ((event: BarOpenEvent) => void) | null;
}

function happenings(tape: Tape, clock: VirtualClock, venue: ReplayedVenue, opened: OnOpen | undefined): IsReplayed {
  const happened = new CursorSource(tape.cursor('exchange'), venue.happened);
  clock.addSource('venue', happened);
  // After other events of the instant: the previous bar has closed.
  const opens = venue.barOpens === null ? null : new CursorSource(openingsFrom(tape, clock.nowUs()), venue.barOpens);
  if (opens !== null) clock.addSource('venue', opens);
  if (opened !== undefined) {
    clock.advanceTo(clock.nowUs());
    opened();
  }
  return () => happened.nextUs === Infinity && (opens === null || opens.nextUs === Infinity);
}

/** A run over the whole data begins when the first bar closes. */
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
  return () => hasHappened() && received.nextUs === Infinity;
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
): DemandReplay {
  const hasHappened = happenings(tape, clock, venue, opened);
  const received = new DemandSource(tape.cursor('receive'), market, clock);
  clock.addSource('delivery', received);
  return {
    isReplayed: () => hasHappened() && received.nextUs === Infinity,
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
): DemandReplay {
  if (received === market.onEvent) return replayOnDemand(tape, clock, venue, market, opened);
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
