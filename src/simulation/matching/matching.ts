/**
 * Matches own orders of one symbol on a synchronised book. Pure; called in exchange-time order. Messages far from own
 * orders allocate nothing. While the book is uncertain (no snapshot, gap, broken sequence), own orders fill only from
 * prints and best quotes, and arriving orders wait.
 */
import type { BookSyncOptions, DepthVerdict } from '../../model/book/book-sync.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import { Ladder } from '../../model/book/ladder.ts';
import {
  ASK,
  BID,
  type BookSide,
  type DepthEvent,
  type GapEvent,
  type MarketEvent,
  type QuoteEvent,
  type TradeEvent,
} from '../../model/market/market-event.ts';
import { NO_MARKET_DATA } from '../../model/trading/order.ts';
import { MarketBook } from './market-book.ts';
import type { OwnLevel, PrintRule } from './own-level.ts';
import { OwnSide } from './own-side.ts';
import { last, riskAverse, type QueueModel } from './queue.ts';
import type { BookEffect, KnownBook, ReadBook } from './read-book.ts';
import { RowLadder } from './row-ladder.ts';
import { TakenLevels } from './taken.ts';
import type { Happening, MatchingEngine, MatchListener, WorkingOrder } from './working-order.ts';

export interface MatchingOptions {
  readonly sync: BookSyncOptions;
  readonly mode: 'default' | 'hft';
  readonly exchange: 'partial-fill' | 'no-partial-fill' | 'l1';
  readonly queue: QueueModel;
  /** 0: off. */
  readonly nettingUs: number;
}

export class BookMatching implements MatchingEngine {
  readonly market: MarketBook;
  /** The columns in place of the ladder while it lags. */
  #read: ReadBook;
  #known: KnownBook | null = null;
  readonly #queue: QueueModel;
  readonly #nettingUs: number;
  readonly #hft: boolean;
  readonly #l1: boolean;
  /** Resting orders fill completely once reached, takers completely at the best price. */
  readonly #whole: boolean;
  readonly #printRule: PrintRule;
  readonly #listener: MatchListener;
  readonly #bids = new OwnSide(BID);
  readonly #asks = new OwnSide(ASK);
  readonly #taken: readonly [TakenLevels, TakenLevels] = [new TakenLevels(BID), new TakenLevels(ASK)];
  /** Arrived while the book was unusable. */
  #waiting: { readonly order: WorkingOrder; readonly rejoins: boolean }[] = [];
  /** Defers the sweep of closed orders while levels are iterated. */
  #walking = false;

  constructor(instrument: Instrument, options: MatchingOptions, listener: MatchListener) {
    this.#hft = options.mode === 'hft';
    this.#l1 = options.exchange === 'l1';
    this.#whole = this.#hft || options.exchange === 'no-partial-fill';
    this.#printRule = this.#hft ? 'alone' : this.#whole ? 'whole' : 'partial';
    this.#queue = options.queue;
    this.#nettingUs = this.#hft ? 0 : options.nettingUs;
    this.#listener = listener;
    const ladder = this.#hft
      ? new RowLadder(instrument, (side, ticks, us) => this.#afterRow(side, ticks, us))
      : new Ladder(instrument);
    this.market = new MarketBook(ladder, options.sync);
    this.#read = ladder;
  }

  get usable(): boolean {
    return this.market.usable;
  }

  get midHalfTicks(): number {
    const { bidLots, askLots, bidTicks, askTicks } = this.#read;
    return this.usable && bidLots > 0 && askLots > 0 ? bidTicks + askTicks : 0;
  }

  submit(order: WorkingOrder, us: number): void {
    if (this.usable) {
      this.#arrive(order, us);
    } else if (order.rests) {
      this.#waiting.push({ order, rejoins: false });
    } else {
      order.open = false;
      this.#listener.expired(order, us, NO_MARKET_DATA);
    }
  }

  rejoin(order: WorkingOrder, us: number): void {
    // A market order that waited for bars in an earlier session.
    if (!order.rests) this.submit(order, us);
    else if (!this.usable) this.#waiting.push({ order, rejoins: true });
    else this.#rest(order, us);
  }

  cancel(order: WorkingOrder): void {
    order.open = false;
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((entry) => entry.order !== order);
    if (!this.#walking) this.#sweep();
  }

  onMarket(event: Happening): void {
    this.#known?.advance();
    switch (event.kind) {
      case 'depth':
        if (this.#known !== null) this.#bookMoved(event.exchangeUs, event);
        else if (!this.#l1) this.#onDepth(event);
        return;
      case 'trade':
        this.#onTrade(event);
        return;
      case 'quote':
        if (this.#known !== null) this.#moveByQuote(event);
        else if (!this.#hft) this.#onQuote(event);
        return;
      case 'gap':
        this.#onGap(event);
        return;
      default:
    }
  }

  /** As `onMarket`, of an engine without orders; for the columns of a tape. */
  trace(event: MarketEvent): BookEffect {
    if (!this.market.isProved) {
      this.onMarket(event);
      return 'other';
    }
    let hasMoved = false;
    if (event.kind === 'quote') hasMoved = this.market.ladder.applyQuote(event);
    else if (event.kind === 'depth' && !event.snapshot) {
      const verdict = this.market.sync.onDepth(event);
      this.#onVerdict(verdict, event);
      if (verdict === 'gap' || verdict === 'buffered') return 'other';
      hasMoved = verdict === 'applied';
    } else if (event.kind !== 'trade' && event.kind !== 'ticker') {
      this.onMarket(event);
      return 'other';
    }
    if (!this.market.isProved) return 'other';
    return hasMoved ? 'moved' : 'nothing';
  }

  /** Events move `known` from now on, or (null) the ladder again. */
  readFrom(known: KnownBook | null): void {
    this.#read = known ?? this.market.ladder;
    this.#known = known;
  }

  /** Whether own orders depend on more than their own prices. */
  get hasTaken(): boolean {
    return !this.#taken[BID].empty || !this.#taken[ASK].empty || this.#waiting.length > 0;
  }

  ownSide(side: BookSide): Pick<OwnSide, 'levels' | 'bestTicks'> {
    return side === BID ? this.#bids : this.#asks;
  }

  plan(side: BookSide, limitTicks: number, lots: number, visit: (ticks: number, lots: number) => void): void {
    if (!this.usable) return;
    let left = lots;
    const opposite = side === BID ? ASK : BID;
    const book = this.#read;
    if (side === BID ? book.askLots > 0 && book.askTicks > limitTicks : book.bidTicks < limitTicks) return;
    book.walk(opposite, (ticks, displayed) => {
      if (side === BID ? ticks > limitTicks : ticks < limitTicks) return false;
      const available = this.#whole ? left : this.#taken[opposite].available(ticks, displayed);
      const taken = Math.min(left, available);
      if (taken > 0) visit(ticks, taken);
      left -= taken;
      return left > 0;
    });
  }

  /** Takes the displayed quantity up to its limit; the rest expires or rests. */
  #arrive(order: WorkingOrder, us: number): void {
    const opposite = order.side === BID ? ASK : BID;
    const fills: number[] = [];
    this.plan(order.side, order.ticks, order.lots, (ticks, lots) => fills.push(ticks, lots));
    for (let index = 0; index < fills.length && order.open; index += 2) {
      const ticks = fills[index]!;
      const lots = fills[index + 1]!;
      if (!this.#whole) {
        this.#taken[opposite].take(ticks, this.#read.lotsAt(opposite, ticks), lots);
      }
      this.#fill(order, ticks, lots, us, false);
    }
    if (!order.open) return;
    if (order.rests) {
      this.#join(order);
      return;
    }
    order.open = false;
    this.#listener.expired(order, us);
  }

  #rest(order: WorkingOrder, us: number): void {
    this.#join(order);
    this.#touch(us);
  }

  #join(order: WorkingOrder): void {
    const own = order.side === BID ? this.#bids : this.#asks;
    const known = this.#queue !== last && this.market.shows(order.side, order.ticks);
    own.join(order, this.#read.lotsAt(order.side, order.ticks), known);
  }

  #onDepth(event: DepthEvent): void {
    if (!this.market.depthSeen) {
      this.market.depthSeen = true;
      this.market.usable = false;
    }
    this.#onVerdict(this.market.sync.onDepth(event), event);
  }

  #onVerdict(verdict: DepthVerdict, event: DepthEvent): void {
    if (verdict === 'old' || verdict === 'buffered') return;
    if (!this.market.sync.live) {
      this.#lose();
      return;
    }
    if (verdict === 'gap') this.market.recovering = true;
    this.#bookMoved(event.exchangeUs, event);
  }

  #onQuote(event: QuoteEvent): void {
    if (this.market.needsDepth && !(this.usable && this.market.sync.live)) {
      this.#proveByQuote(event);
      // Merged: complete except for the gap, or its snapshot is to come, which may be older.
      this.market.ladder.applyQuote(event);
      return;
    }
    if (this.market.ladder.applyQuote(event)) this.#moveByQuote(event);
  }

  #moveByQuote(event: QuoteEvent): void {
    if (this.#concernsOwn(event)) this.#bookMoved(event.exchangeUs, null);
  }

  /** A merged quote changes only its own prices and better or crossed ones. */
  #concernsOwn({ bidTicks, bidLots, askTicks, askLots }: QuoteEvent): boolean {
    if (bidLots === 0 || askLots === 0 || this.market.recovering || !this.usable) return true;
    if (!this.#taken[BID].empty || !this.#taken[ASK].empty) return true;
    return Math.min(bidTicks, askTicks) <= this.#bids.bestTicks || Math.max(bidTicks, askTicks) >= this.#asks.bestTicks;
  }

  /** Prints are evidence of a fill even while the book is stale. */
  #onTrade(event: TradeEvent): void {
    const { ticks } = event;
    // Separate: almost no print comes near an own order.
    if (ticks <= this.#bids.bestTicks || ticks >= this.#asks.bestTicks) this.#printed(event);
  }

  #printed({ ticks, lots: printed, takerBuys, exchangeUs: us }: TradeEvent): void {
    this.#walking = true;
    if (!this.#hft || !takerBuys) this.#fillBetter(this.#bids, ticks, us);
    if (!this.#hft || takerBuys) this.#fillBetter(this.#asks, ticks, us);
    const at = (takerBuys ? this.#asks : this.#bids).levelAt(ticks);
    at?.print(printed, us, this.#printRule, this.#queue, this.#nettingUs, (order, lots) => {
      if (order.open) this.#fill(order, order.ticks, lots, us, true);
    });
    this.#walking = false;
    this.#sweep();
  }

  #onGap(event: GapEvent): void {
    if (!event.open) return;
    this.market.sync.doubt(event.reason);
    this.#lose();
  }

  #lose(): void {
    this.market.usable = false;
    this.market.recovering = true;
    this.#taken[BID].clear();
    this.#taken[ASK].clear();
  }

  /** After a whole message: queues, touch, then waiting orders. */
  #bookMoved(us: number, depth: DepthEvent | null): void {
    const proved = this.market.recovering || !this.usable;
    this.market.usable = true;
    this.market.recovering = false;
    if (!this.#taken[BID].empty) this.#taken[BID].refresh(depth, this.#read);
    if (!this.#taken[ASK].empty) this.#taken[ASK].refresh(depth, this.#read);
    if (this.#bids.levels.length > 0) this.#restate(this.#bids, us, depth, proved);
    if (this.#asks.levels.length > 0) this.#restate(this.#asks, us, depth, proved);
    this.#touch(us);
    if (this.#waiting.length > 0) this.#admitWaiting(us);
  }

  #restate(own: OwnSide, us: number, depth: DepthEvent | null, proved: boolean): void {
    const { side, levels } = own;
    for (const level of levels) {
      if (!this.market.shows(side, level.ticks)) continue;
      const next = this.#read.lotsAt(side, level.ticks);
      if (proved && next === 0 && this.market.sync.start === 'updates') level.unseen();
      else if (proved) level.restated(next, us, riskAverse, 0);
      else if (next !== level.displayed || (level.printed && depth !== null && mentions(depth, side, level.ticks))) {
        level.restated(next, us, this.#queue, this.#nettingUs);
      }
    }
  }

  /** The opposite best has reached own prices. */
  #touch(us: number): void {
    const book = this.#read;
    if (book.askLots > 0 && book.askTicks <= this.#bids.bestTicks) this.#reached(this.#bids, this.#best(ASK), us);
    if (book.bidLots > 0 && book.bidTicks >= this.#asks.bestTicks) this.#reached(this.#asks, this.#best(BID), us);
  }

  /** `ticks`: best opposite price. */
  #reached(own: OwnSide, ticks: number, us: number): void {
    this.#walking = true;
    for (const level of own.levels) {
      if (own.isBetter(ticks, level.ticks)) break;
      this.#fillLevel(level, us);
    }
    this.#walking = false;
    this.#sweep();
  }

  /** Best price that own takers have not used up. */
  #best(side: BookSide): number {
    const none = side === BID ? -Infinity : Infinity;
    const taken = this.#taken[side];
    if (taken.empty) return side === BID ? this.#read.bidTicks : this.#read.askTicks;
    let best = none;
    this.#read.walk(side, (ticks, displayed) => {
      if (taken.available(ticks, displayed) > 0) best = ticks;
      return best === none;
    });
    return best;
  }

  /** A quote while the book is stale fills only the orders that it reaches. */
  #proveByQuote(event: QuoteEvent): void {
    if (event.askLots > 0 && event.askTicks <= this.#bids.bestTicks) {
      this.#reached(this.#bids, event.askTicks, event.exchangeUs);
    }
    if (event.bidLots > 0 && event.bidTicks >= this.#asks.bestTicks) {
      this.#reached(this.#asks, event.bidTicks, event.exchangeUs);
    }
  }

  #admitWaiting(us: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { order, rejoins } of waiting) {
      if (!order.open) continue;
      if (rejoins) this.#rest(order, us);
      else this.#arrive(order, us);
    }
  }

  /** Mode `hft`: queues and touch after each row. */
  #afterRow(side: BookSide, ticks: number, us: number): void {
    if (!this.usable) return;
    const level = (side === BID ? this.#bids : this.#asks).levelAt(ticks);
    level?.restated(this.market.ladder.lotsAt(side, ticks), us, this.#queue, 0);
    this.#touch(us);
  }

  #fillBetter(own: OwnSide, ticks: number, us: number): void {
    for (const level of own.levels) {
      if (!own.isBetter(level.ticks, ticks)) break;
      this.#fillLevel(level, us);
    }
  }

  #fillLevel(level: OwnLevel, us: number): void {
    for (const order of level.orders) {
      if (order.open) this.#fill(order, order.ticks, order.lots, us, true);
    }
  }

  #fill(order: WorkingOrder, ticks: number, lots: number, us: number, maker: boolean): void {
    order.lots -= lots;
    if (order.lots === 0) order.open = false;
    this.#listener.filled(order, ticks, lots, maker ? 'maker' : 'taker', us);
  }

  #sweep(): void {
    this.#bids.sweep();
    this.#asks.sweep();
  }
}

function mentions(event: DepthEvent, side: BookSide, at: number): boolean {
  const { sides, ticks, from, to } = event.levels;
  for (let row = from; row < to; row++) if (ticks[row] === at && sides[row] === side) return true;
  return false;
}
