/**
 * A tape on the virtual clock: its events enter twice, on the venue's side in exchange time and on the strategy's side
 * in receive time (rule T1). No event is allocated or copied on the way.
 */
import type { BookSyncOptions } from '../model/book-sync.ts';
import type { BarOpenEvent, MarketSink } from '../model/market-event.ts';
import type { EventCursor, OpeningCursor, Tape, TapeCursor } from '../recording/tape.ts';
import type { ClockSource, VirtualClock } from '../simulation/virtual-clock.ts';
import type { MarketData } from '../streams/market-data.ts';

export class CursorSource<Event> implements ClockSource {
  readonly #cursor: EventCursor<Event>;
  readonly #sink: (event: Event) => void;
  /** A number from the start: a field that was `undefined` once is boxed anew at each change. */
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
 * The strategy's side while no strategy watches the market: its events wait on the tape, and those that are due are handed
 * over when somebody reads a price. So a strategy that looks seldom does not pay for every event, and sees the same.
 */
class DemandSource implements ClockSource {
  readonly #cursor: TapeCursor;
  readonly #market: MarketData;
  readonly #clock: VirtualClock;
  /** While it waits, the end of the data: the clock goes that far in any case. */
  nextUs = Infinity;
  #isWaiting = false;

  constructor(cursor: TapeCursor, market: MarketData, clock: VirtualClock) {
    this.#cursor = cursor;
    this.#market = market;
    this.#clock = clock;
    this.nextUs = cursor.nextUs;
  }

  /** From here on events wait, unless somebody watches already. */
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

  /** What is due now has been delivered before any timer of this instant runs (T4), so whoever reads has it all. */
  #catchUp(): void {
    if (!this.#isWaiting) return;
    const nowUs = this.#clock.nowUs();
    while (this.#cursor.nextUs <= nowUs) this.#market.onEvent(this.#cursor.next());
    if (!this.#market.isWatched) return;
    this.#isWaiting = false;
    this.nextUs = this.#cursor.nextUs;
  }
}

/** How the depth of each symbol of a tape proves itself (T5). */
export function tapeSync(tape: Tape): (symbol: string) => Required<Pick<BookSyncOptions, 'rule' | 'start'>> {
  return (symbol) => ({
    rule: tape.rules.get(symbol) ?? 'none',
    start: tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates',
  });
}

/** True once every event has reached both sides. */
export type IsReplayed = () => boolean;

/**
 * Called once, where strategies may begin: the venue has lived the first instant and has told what money it begins with,
 * and nothing of the market has been received.
 */
export type OnOpen = () => void;

/** The venue of a replay. */
export interface ReplayedVenue {
  readonly happened: MarketSink;
  /** It trades on bars, and must know of each when it opens; null where it does not. */
  readonly barOpens: ((event: BarOpenEvent) => void) | null;
}

/** The venue's side, alone until strategies may begin. */
function happenings(tape: Tape, clock: VirtualClock, venue: ReplayedVenue, opened: OnOpen | undefined): IsReplayed {
  const happened = new CursorSource(tape.cursor('exchange'), venue.happened);
  clock.addSource('venue', happened);
  // After what happened at the same moment: the bar before has closed.
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
  /** To be called once those strategies that begin with the data have begun. */
  readonly wait: () => void;
}

/** The same, with a strategy's side that waits for as long as nobody watches. */
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

/** The strategy's side: what receives its events, and the market data behind it. */
export interface ReplayedStrategies {
  readonly received: MarketSink;
  readonly market: MarketData;
}

/** With gaps injected into the stream each event counts when it comes, so that none may wait. */
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

/**
 * A tape as a paper session lives it (`paced-clock.ts`): each event at the time at which it was received, to the venue
 * first; what the venue says about it at once comes before the strategies hear of it.
 */
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

  /** Goes on by what is due before the next event, or by that event. False at the end. */
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
