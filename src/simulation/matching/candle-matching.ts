/**
 * Matching on bars alone (`candles`): no order fills at a price that was known when it was decided.
 *
 *   close of bar 1 ──▶ decision ──▶ order ──▶ open of bar 2 ──▶ nearer extreme ──▶ other extreme ──▶ close of bar 2
 *                                             market orders, limits     limits that are traded through,
 *                                             that it crosses: takers   at their own price: makers
 *
 * Own orders share at most `participation` of a bar's volume; a market order continues in the next bar. Paper has no
 * `bar-open` events: the open trades when the bar closes, with the time of the open. A cancel decided at the close
 * precedes the open. So open orders trade after such decisions (`openDueUs`), or with the first new order that trades
 * there.
 */
import type { ExitOnBars } from '../../model/venue.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import {
  BID,
  type BarOpenEvent,
  type BookSide,
  type CandleEvent,
  type MarketEvent,
} from '../../model/market/market-event.ts';
import { US_PER_MS } from '../../model/time.ts';
import type { ArmedStop, Closing } from '../../model/trading/program.ts';
import { NO_MARKET_DATA } from '../../model/trading/order.ts';
import { shorten } from '../../model/shorten.ts';
import { RunningBar } from './running-bar.ts';
import type { Happening, MarksInBars, MatchingEngine, MatchListener, WorkingOrder } from './working-order.ts';

export interface CandleOptions {
  readonly participation: number;
  readonly slippageBps: number;
}

interface Standing {
  readonly order: WorkingOrder;
  readonly arrivedUs: number;
  readonly decidedUs: number;
  onBars?: ExitOnBars | undefined;
  /** A cancel in flight. */
  cancel?: { readonly arrivesUs: number; readonly decidedUs: number };
}

/** The mid at an open or close. */
export function halfTicksOf({ tick }: Instrument, price: number): number {
  return 2 * Math.round(price / tick);
}

export class CandleMatching implements MatchingEngine {
  readonly #instrument: Instrument;
  readonly #options: CandleOptions;
  readonly #listener: MatchListener;
  readonly #marks: MarksInBars | null;
  readonly #stops: () => readonly ArmedStop[];
  /** In order of arrival. */
  #standing: Standing[] = [];
  /** Open of the running bar, else the last close. */
  #price = Number.NaN;
  midHalfTicks = 0;
  #bar: RunningBar | null = null;
  #ended: RunningBar | null = null;
  /** Receive time of the last close. */
  #heardUs = Number.NEGATIVE_INFINITY;
  /** The first interval seen is traded. */
  #intervalMs = 0;
  /** Unix ms; another recording may repeat bars. */
  #begunMs = Number.NEGATIVE_INFINITY;
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(
    instrument: Instrument,
    options: CandleOptions,
    listener: MatchListener,
    marks: MarksInBars | null = null,
    stops: () => readonly ArmedStop[] = () => [],
  ) {
    this.#instrument = instrument;
    this.#options = options;
    this.#listener = listener;
    this.#marks = marks;
    this.#stops = stops;
  }

  get hasOrders(): boolean {
    return this.#standing.length > 0;
  }

  get usable(): boolean {
    return !Number.isNaN(this.#price);
  }

  submit(order: WorkingOrder, us: number, decidedUs = us, onBars?: ExitOnBars): void {
    if (!this.usable && !order.rests) {
      this.#expire(order, us, NO_MARKET_DATA);
      return;
    }
    this.#standing.push({ order, arrivedUs: us, decidedUs, onBars });
    const bar = this.#bar;
    if (bar === null || !bar.admits(us, decidedUs)) return;
    if (bar.isOpenTraded) this.#tradeOpen(bar, [order], us);
    else if (!order.rests || this.#crossed([order], bar.open).length > 0) this.#settleOpen(bar, us);
    this.#sweep();
  }

  rejoin(order: WorkingOrder, us: number): void {
    this.#standing.push({ order, arrivedUs: us, decidedUs: us });
  }

  cancel(order: WorkingOrder): void {
    order.open = false;
    this.#sweep();
  }

  cancelComing(order: WorkingOrder, arrivesUs: number, decidedUs: number): void {
    const standing = this.#standing.find((each) => each.order === order);
    if (standing !== undefined) standing.cancel ??= { arrivesUs, decidedUs };
  }

  /** Exits of stops that have fired and wait for an open. */
  get leaving(): readonly Closing[] {
    return this.#standing.flatMap(({ order: { side, lots, rests }, onBars }) =>
      rests || onBars?.fired === undefined
        ? []
        : [{ closes: side === BID ? 'buy' : 'sell', ticks: onBars.fired, lots }],
    );
  }

  get openDueUs(): number {
    const bar = this.#bar;
    if (bar === null || bar.isOpenTraded || this.#standing.length === 0) return Infinity;
    return this.#crossed(this.#admitted(bar), bar.open).length === 0 ? Infinity : bar.decidedUs;
  }

  get closesUs(): number {
    return this.#bar?.closeUs ?? Infinity;
  }

  /** A tick, of any symbol: a decision that has seen it takes no earlier open. */
  heard(tick: MarketEvent): void {
    this.#bar?.heard(tick);
  }

  tradeOpen(us: number): void {
    if (this.#bar === null || this.#bar.isOpenTraded || us < this.#bar.decidedUs) return;
    this.#settleOpen(this.#bar, us);
    this.#sweep();
  }

  onMarket(event: Happening): void {
    const isOpening = event.kind === 'bar-open';
    if (!isOpening && (event.kind !== 'candle' || !event.closed)) return;
    if (this.#intervalMs === 0) this.#intervalMs = event.intervalMs;
    if (event.intervalMs !== this.#intervalMs) return;
    if (event.openTime <= (isOpening ? this.#begunMs : this.#endedMs)) return;
    this.#begunMs = Math.max(this.#begunMs, event.openTime);
    if (isOpening) {
      this.#bar = this.#begin(event);
      return;
    }
    this.#endedMs = event.openTime;
    this.#onClose(event);
  }

  /** Values a market order at the last price, because its own is unknown. */
  plan(side: BookSide, limitTicks: number, lots: number, visit: (ticks: number, lots: number) => void): void {
    if (!this.usable) return;
    const ticks = Number.isFinite(limitTicks) ? this.#ticks(this.#price) : this.#worse(this.#price, side);
    if (side === BID ? ticks <= limitTicks : ticks >= limitTicks) visit(ticks, lots);
  }

  #onClose(bar: CandleEvent): void {
    const { exchangeUs, receiveUs } = bar;
    const isRunning = this.#bar?.openUs === bar.openTime * US_PER_MS;
    const ending = isRunning && this.#bar !== null ? this.#bar : this.#begin(bar);
    if (!ending.isOpenTraded) this.#settleOpen(ending, ending.openUs);
    if (isRunning) this.#bar = null;
    // Fills carry the time of the close, and are marked at their own price: what left before the close was never worth it.
    if (this.#standing.length > 0 || this.#marks !== null) this.#tradePath(ending, bar, exchangeUs);
    this.#setPrice(bar.close);
    this.#ended = ending;
    if (receiveUs > this.#heardUs) this.#heardUs = receiveUs;
  }

  #tradePath(ending: RunningBar, { open, high, low, close }: CandleEvent, us: number): void {
    const path = Math.abs(high - open) <= Math.abs(open - low) ? [high, low, close] : [low, high, close];
    const limits = this.#unstopped(
      this.#admitted(ending).filter((order) => order.rests),
      low,
      high,
    );
    for (const price of path) {
      this.#tradeThrough(ending, limits, price, us);
      this.#mark(open, price, us);
    }
    this.#sweep();
  }

  #begin(bar: CandleEvent | BarOpenEvent): RunningBar {
    const lots = Math.floor((bar.volume * this.#options.participation) / this.#instrument.lot + 1e-9);
    this.#setPrice(bar.open);
    const begun = this.#ended ?? new RunningBar();
    this.#ended = null;
    begun.begin(bar, lots, this.#heardUs);
    return begun;
  }

  #setPrice(price: number): void {
    this.#price = price;
    this.midHalfTicks = halfTicksOf(this.#instrument, price);
  }

  #admitted(bar: RunningBar): readonly WorkingOrder[] {
    const admitted: WorkingOrder[] = [];
    for (const { order, arrivedUs, decidedUs, cancel } of this.#standing) {
      if (!bar.admits(arrivedUs, decidedUs)) continue;
      const isGone =
        cancel !== undefined && cancel.arrivesUs < bar.closeUs && bar.admits(cancel.arrivesUs, cancel.decidedUs);
      if (!isGone) admitted.push(order);
    }
    return admitted;
  }

  #settleOpen(bar: RunningBar, us: number): void {
    bar.isOpenTraded = true;
    if (this.#standing.length > 0) this.#tradeOpen(bar, this.#admitted(bar), us);
  }

  /** `us`: exchange time. */
  #tradeOpen(bar: RunningBar, orders: readonly WorkingOrder[], us: number): void {
    for (const order of this.#crossed(orders, bar.open)) {
      const price = this.#reached(bar.open, order);
      const ticks = Number.isFinite(order.ticks) ? this.#ticks(price) : this.#worse(price, order.side);
      this.#fill(bar, order, ticks, us, 'taker');
    }
    for (const order of orders) {
      if (order.open && !order.rests && Number.isFinite(order.ticks)) this.#expire(order, us);
      // What is left trades at the opens of later bars.
      const standing = this.#standing.find((each) => each.order === order);
      if (standing?.onBars?.fired !== undefined) standing.onBars = undefined;
    }
  }

  #tradeThrough(bar: RunningBar, orders: readonly WorkingOrder[], price: number, us: number): void {
    for (const order of this.#crossed(orders, price)) {
      this.#mark(bar.open, this.#instrument.priceOf(order.ticks), us);
      this.#fill(bar, order, order.ticks, us, 'maker');
    }
  }

  /** Comes to a price inside the bar. */
  #mark(open: number, price: number, us: number): void {
    this.#setPrice(price);
    const marks = this.#marks;
    if (marks?.mayBeDue() !== true) return;
    this.#setPrice(marks.stoppedAt(open, price));
    marks.liquidate(us);
    this.#setPrice(price);
  }

  /** Limits beyond the price, most aggressive first. */
  #crossed(orders: readonly WorkingOrder[], price: number): readonly WorkingOrder[] {
    const depth = ({ side, ticks }: WorkingOrder): number => {
      const own = Number.isFinite(ticks) ? this.#instrument.priceOf(ticks) : ticks;
      return side === BID ? own - price : price - own;
    };
    const isCrossed = (order: WorkingOrder): boolean => order.open && depth(order) > 0;
    if (orders.every(isCrossed) && orders.length < 2) return orders;
    return orders.filter(isCrossed).sort((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
  }

  /** Limited by the bar's volume. A taker's fill has the time of the open. */
  #fill(bar: RunningBar, order: WorkingOrder, ticks: number, us: number, liquidity: 'maker' | 'taker'): void {
    const lots = order.open ? Math.min(bar.lots, order.lots) : 0;
    if (lots === 0) return;
    if (!Number.isFinite(order.ticks) && !this.#listener.covers(order, ticks, lots)) {
      this.#expire(order, us, 'insufficient_balance');
      return;
    }
    bar.trade(lots, us);
    order.lots -= lots;
    if (order.lots === 0) order.open = false;
    this.#listener.filled(order, ticks, lots, liquidity, liquidity === 'taker' ? bar.openUs : us);
  }

  #expire(order: WorkingOrder, us: number, reason?: string): void {
    order.open = false;
    this.#listener.expired(order, us, reason);
  }

  #sweep(): void {
    const standing = this.#standing;
    let kept = 0;
    for (const each of standing) if (each.order.open) standing[kept++] = each;
    shorten(standing, kept);
  }

  /** A bar that reaches a take-profit and the stop beside it reaches the stop. */
  #unstopped(orders: readonly WorkingOrder[], low: number, high: number): readonly WorkingOrder[] {
    if (!orders.some((order) => this.#onBarsOf(order)?.exitOf !== undefined)) return orders;
    const reached = this.#stops().filter(({ closes, ticks }) => {
      const price = this.#instrument.priceOf(ticks);
      return closes === 'buy' ? high >= price : closes === 'sell' && low <= price;
    });
    if (reached.length === 0) return orders;
    return orders.filter((order) => {
      const exitOf = this.#onBarsOf(order)?.exitOf;
      const side = order.side === BID ? 'buy' : 'sell';
      return !reached.some(
        ({ closes, strategy, program }) =>
          closes === side && strategy === exitOf?.strategy && program === (exitOf.program ?? program),
      );
    });
  }

  /** A stop trades at the worse of its trigger and the open, with or without a limit, which lies beyond the trigger. */
  #reached(open: number, order: WorkingOrder): number {
    const fired = this.#onBarsOf(order)?.fired;
    if (fired === undefined) return open;
    const trigger = this.#instrument.priceOf(fired);
    return order.side === BID ? Math.max(open, trigger) : Math.min(open, trigger);
  }

  #onBarsOf(order: WorkingOrder): ExitOnBars | undefined {
    return this.#standing.find((each) => each.order === order)?.onBars;
  }

  #ticks(price: number): number {
    return Math.round(price / this.#instrument.tick);
  }

  /** Price plus slippage, rounded against the order. */
  #worse(price: number, side: BookSide): number {
    const share = this.#options.slippageBps / 10_000;
    const ticks = (price * (side === BID ? 1 + share : 1 - share)) / this.#instrument.tick;
    return side === BID ? Math.ceil(ticks - 1e-6) : Math.max(1, Math.floor(ticks + 1e-6));
  }
}
