/**
 * Matching on candles alone (rule M7, `candles`). Between candles the market stands at the last close: a marketable
 * order trades there as a taker. A resting limit fills at its own price when a later candle trades strictly through it or beyond
 * it, in the order of the path, all own orders together at most `participation` of the candle's volume.
 *
 *   path: open - nearer extreme - other extreme - close
 */
import type { Instrument } from '../model/instrument.ts';
import { BID, type BookSide, type CandleEvent, type MarketEvent } from '../model/market-event.ts';
import { US_PER_MS } from '../model/time.ts';
import type { MatchingEngine, MatchListener, WorkingOrder } from './working-order.ts';

/** An order that arrives this long after a candle's open still stood at its open: the decision was made on the close before. */
const AT_OPEN_US = 1_000_000;

interface Resting {
  readonly order: WorkingOrder;
  readonly sinceUs: number;
}

export class CandleMatching implements MatchingEngine {
  readonly #instrument: Instrument;
  readonly #participation: number;
  readonly #listener: MatchListener;
  #resting: Resting[] = [];
  #close = Number.NaN;
  /** The first interval seen is the one that is traded on. */
  #intervalMs = 0;

  constructor(instrument: Instrument, participation: number, listener: MatchListener) {
    this.#instrument = instrument;
    this.#participation = participation;
    this.#listener = listener;
  }

  get usable(): boolean {
    return !Number.isNaN(this.#close);
  }

  get midHalfTicks(): number {
    return this.usable ? 2 * this.#closeTicks() : 0;
  }

  submit(order: WorkingOrder, us: number): void {
    let taken = false;
    this.plan(order.side, order.ticks, order.lots, (ticks, lots) => {
      taken = true;
      this.#fill(order, ticks, lots, us, 'taker');
    });
    if (taken) return;
    if (order.rests) {
      this.#resting.push({ order, sinceUs: us });
      return;
    }
    order.open = false;
    this.#listener.expired(order, us, this.usable ? undefined : 'no_market_data');
  }

  rejoin(order: WorkingOrder, us: number): void {
    this.#resting.push({ order, sinceUs: us });
  }

  cancel(order: WorkingOrder): void {
    order.open = false;
    this.#resting = this.#resting.filter((entry) => entry.order !== order);
  }

  onMarket(event: MarketEvent): void {
    if (event.kind !== 'candle' || !event.closed) return;
    if (this.#intervalMs === 0) this.#intervalMs = event.intervalMs;
    if (event.intervalMs === this.#intervalMs) this.#onCandle(event);
  }

  plan(side: BookSide, limitTicks: number, lots: number, visit: (ticks: number, lots: number) => void): void {
    if (!this.usable) return;
    const ticks = this.#closeTicks();
    if (side === BID ? ticks <= limitTicks : ticks >= limitTicks) visit(ticks, lots);
  }

  #closeTicks(): number {
    return Math.round(this.#close / this.#instrument.tick);
  }

  #onCandle(event: CandleEvent): void {
    // Fills carry the time of the close, and so does the mid that they are marked at.
    this.#close = event.close;
    if (this.#resting.length > 0) this.#walkPath(event);
  }

  #walkPath(event: CandleEvent): void {
    const { open, high, low, close } = event;
    const openUs = event.openTime * US_PER_MS;
    const eligible = this.#resting.filter(({ sinceUs }) => sinceUs <= openUs + AT_OPEN_US).map(({ order }) => order);
    let budget = Math.floor((event.volume * this.#participation) / this.#instrument.lot + 1e-9);
    const path = Math.abs(high - open) <= Math.abs(open - low) ? [open, high, low, close] : [open, low, high, close];
    for (const price of path) budget = this.#fillThrough(eligible, price, budget, event.exchangeUs);
    this.#resting = this.#resting.filter(({ order }) => order.open);
  }

  /** At a price that the path reaches, those whose limit lies behind it; answers the volume that is left for own orders. */
  #fillThrough(eligible: readonly WorkingOrder[], price: number, lots: number, us: number): number {
    const through = eligible
      .filter((order) => order.open && this.#isThrough(order, price))
      .sort((a, b) => (a.side === BID ? b.ticks - a.ticks : a.ticks - b.ticks));
    let left = lots;
    for (const order of through) {
      const filled = order.open ? Math.min(left, order.lots) : 0;
      left -= filled;
      if (filled > 0) this.#fill(order, order.ticks, filled, us, 'maker');
    }
    return left;
  }

  #isThrough(order: WorkingOrder, price: number): boolean {
    const own = this.#instrument.priceOf(order.ticks);
    return order.side === BID ? price < own : price > own;
  }

  #fill(order: WorkingOrder, ticks: number, lots: number, us: number, liquidity: 'maker' | 'taker'): void {
    order.lots -= lots;
    if (order.lots === 0) order.open = false;
    this.#listener.filled(order, ticks, lots, liquidity, us);
  }
}
