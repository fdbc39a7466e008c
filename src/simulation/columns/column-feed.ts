/**
 * Feeds the venue its market from columns. Messages that touch neither own orders nor money are skipped. Their effect
 * on the mid is published, in order, when somebody asks. All others are matched at their time, as without columns.
 *
 *   skipped ── (mids not published yet) ── examined ── next stop, or the end of the window
 */
import type { DepthEvent, MarketEvent, QuoteEvent, TickerEvent, TradeEvent } from '../../model/market/market-event.ts';
import { ASK, BID } from '../../model/market/market-event.ts';
import type { SavedBook, TapeShift } from '../../model/book/saved-book.ts';
import type { BookMatching } from '../matching/matching.ts';
import type { Happening } from '../matching/working-order.ts';
import type { ClockSource } from '../clock/virtual-clock.ts';
import { ColumnBook } from './column-book.ts';
import {
  KIND_BUYS,
  KIND_DEPTH,
  KIND_NOTHING,
  KIND_OTHER,
  KIND_QUOTE,
  type MarketColumns,
  type PassColumns,
} from './market-columns.ts';
import type { SafeMids } from './safe-mids.ts';
import { nextStop, type Interest } from './next-stop.ts';

/** Messages looked through at once: own orders may have changed by then. */
const WINDOW = 128;

/** Passes over the same data, which differ in times and ids. */
export interface ReplayColumns {
  readonly kind: 'book';
  readonly columns: MarketColumns;
  readonly passes: number;
  readonly first: PassColumns;
  readonly later: PassColumns;
  /** How far a pass is behind the first. */
  readonly shiftOf: (pass: number) => TapeShift;
  /** At the end of every pass. Null: there is only one. */
  readonly end: SavedBook | null;
  /** Events in exchange order, from the first of a pass. */
  readonly cursor: (pass: number) => { next(): MarketEvent };
}

export interface ColumnVenue<Engine> {
  readonly engine: Engine;
  nowUs(): number;
  onMarket(event: Happening): void;
  /** Nothing is left to do at the next event, whatever it is. */
  isQuiet(): boolean;
  /** The mid has changed at `us`, and nothing else. */
  passed(us: number): void;
  safeMids(): SafeMids;
  fundsFromUs(): number;
}

export class ColumnFeed implements ClockSource {
  nextUs = Infinity;
  readonly #replay: ReplayColumns;
  readonly #columns: MarketColumns;
  readonly #venue: ColumnVenue<BookMatching>;
  readonly #engine: BookMatching;
  readonly #book: ColumnBook;
  readonly #interest: Interest;
  readonly #depth: DepthEvent;
  readonly #quote: QuoteEvent;
  readonly #trade: TradeEvent;
  readonly #nothing: TickerEvent;
  #pass = 0;
  #columnsOfPass: PassColumns;
  #shiftUs = 0;
  #cursor: { next(): MarketEvent };
  /** First message that was not passed. */
  #next = 0;
  /** First message that was not looked at: a stop, or the end of the window. */
  #stop = 0;
  #isStop = false;

  constructor(replay: ReplayColumns, venue: ColumnVenue<BookMatching>) {
    const { columns, first } = replay;
    this.#replay = replay;
    this.#columns = columns;
    this.#venue = venue;
    this.#engine = venue.engine;
    this.#columnsOfPass = first;
    this.#cursor = replay.cursor(0);
    const { instrument, sides, ticks, lots } = columns;
    this.#book = new ColumnBook(columns, first, {
      book: venue.engine.market.ladder,
      follow: () => this.#engine.market.follow(this.#cursor.next()),
    });
    const base = { instrument, exchangeUs: 0, receiveUs: 0 };
    const ids = { firstId: 0, lastId: 0, previousId: 0 };
    this.#depth = { kind: 'depth', ...base, snapshot: false, ...ids, levels: { sides, ticks, lots, from: 0, to: 0 } };
    this.#quote = { kind: 'quote', ...base, updateId: 0, bidTicks: 0, bidLots: 0, askTicks: 0, askLots: 0 };
    this.#trade = { kind: 'trade', ...base, tradeId: '', ticks: 0, lots: 0, takerBuys: false };
    const bar = { last: 0, bid: 0, ask: 0, open: 0, high: 0, low: 0, volume: 0, quoteVolume: 0 };
    this.#nothing = { kind: 'ticker', ...base, ...bar };
    this.#interest = {
      bidLowest: Infinity,
      bidBest: -Infinity,
      askBest: Infinity,
      askHighest: -Infinity,
      midFrom: -Infinity,
      midTo: Infinity,
      untilUs: Infinity,
    };
    this.#seek();
  }

  run(): void {
    if (!this.#isStop) {
      this.#lookFrom(this.#stop);
      return;
    }
    this.#passTo(this.#stop);
    this.#match(this.#stop);
    if (this.#next === this.#columns.count) this.#turn();
    this.#seek();
  }

  /** Passes what has happened by now; before anybody reads the venue. */
  catchUp(): void {
    const nowUs = this.#venue.nowUs() - this.#shiftUs;
    const { us } = this.#columns;
    let to = this.#next;
    while (to < this.#stop && us[to]! <= nowUs) to++;
    this.#passTo(to);
  }

  /** Own orders or money have changed; after `catchUp`. */
  moved(): void {
    if (this.nextUs !== Infinity) this.#seek();
  }

  #passTo(to: number): void {
    if (to === this.#next) return;
    const { us } = this.#columns;
    const { bidTicks, askTicks } = this.#columnsOfPass.tops;
    const book = this.#book;
    this.#engine.readFrom(book);
    for (let at = this.#next; at < to; at++) {
      if (bidTicks[at] === bidTicks[at - 1] && askTicks[at] === askTicks[at - 1]) continue;
      book.at = at;
      this.#venue.passed(us[at]! + this.#shiftUs);
    }
    book.at = to - 1;
    this.#next = to;
  }

  #match(at: number): void {
    const kind = this.#columnsOfPass.kinds[at]!;
    const book = this.#book;
    this.#next = at + 1;
    // The first has no message before it in the columns.
    if (kind === KIND_OTHER || at === 0) {
      book.bringUp();
      this.#engine.readFrom(null);
      const event = this.#cursor.next();
      book.met(at);
      this.#venue.onMarket(event);
    } else {
      this.#engine.readFrom(book);
      this.#venue.onMarket(this.#eventAt(at, kind));
    }
  }

  #eventAt(at: number, kind: number): MarketEvent {
    const { us, levelTo, trade, tradeTicks, tradeLots } = this.#columns;
    const exchangeUs = us[at]! + this.#shiftUs;
    if (kind === KIND_DEPTH) {
      const event = this.#depth;
      event.exchangeUs = exchangeUs;
      event.levels.from = levelTo[at - 1]!;
      event.levels.to = levelTo[at]!;
      return event;
    }
    if (kind === KIND_QUOTE) {
      const { bidTicks, bidLots, askTicks, askLots } = this.#columnsOfPass.tops;
      const event = this.#quote;
      event.exchangeUs = exchangeUs;
      event.bidTicks = bidTicks[at]!;
      event.bidLots = bidLots[at]!;
      event.askTicks = askTicks[at]!;
      event.askLots = askLots[at]!;
      return event;
    }
    if (kind === KIND_NOTHING) {
      this.#nothing.exchangeUs = exchangeUs;
      return this.#nothing;
    }
    const event = this.#trade;
    event.exchangeUs = exchangeUs;
    event.takerBuys = kind === KIND_BUYS;
    event.ticks = tradeTicks[trade[at]!]!;
    event.lots = tradeLots[trade[at]!]!;
    return event;
  }

  /** Begins the next pass; the last has none. */
  #turn(): void {
    const { passes, end, later, shiftOf, cursor } = this.#replay;
    if (this.#pass + 1 === passes || end === null) return;
    this.#engine.readFrom(null);
    this.#engine.market.load(end, shiftOf(this.#pass));
    this.#pass++;
    this.#shiftUs = shiftOf(this.#pass).us;
    this.#columnsOfPass = later;
    this.#cursor = cursor(this.#pass);
    this.#book.begin(later);
    this.#next = 0;
  }

  /** The next stop for orders and money as they are now. */
  #seek(): void {
    if (this.#venue.isQuiet()) {
      this.#note();
      this.#lookFrom(this.#next);
    } else this.#stopAt(this.#next, true);
  }

  /** The last message of a pass is matched, so that the next pass begins at its time. */
  #lookFrom(from: number): void {
    const last = this.#columns.count - 1;
    if (from > last) return this.#stopAt(from, false);
    const to = Math.min(from + WINDOW, last);
    const stop = nextStop(this.#columns, this.#columnsOfPass, from, to, this.#interest);
    this.#stopAt(stop, stop < to || stop === last);
  }

  #stopAt(at: number, isStop: boolean): void {
    const { us, count } = this.#columns;
    this.#stop = at;
    this.#isStop = isStop;
    this.nextUs = at < count ? us[at]! + this.#shiftUs : Infinity;
  }

  #note(): void {
    const interest = this.#interest;
    const bids = this.#engine.ownSide(BID);
    const asks = this.#engine.ownSide(ASK);
    interest.bidBest = bids.bestTicks;
    interest.askBest = asks.bestTicks;
    interest.bidLowest = bids.levels.at(-1)?.ticks ?? Infinity;
    interest.askHighest = asks.levels.at(-1)?.ticks ?? -Infinity;
    const { from, to } = this.#venue.safeMids();
    interest.midFrom = from;
    interest.midTo = to;
    interest.untilUs = this.#venue.fundsFromUs() - this.#shiftUs;
  }
}
