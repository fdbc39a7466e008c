/**
 * An own order inside a matching engine, and the engine's ports. The engine owns lots and queue position, the venue
 * money and reports.
 */
import type { ExitOnBars } from '../../model/venue.ts';
import type { BarOpenEvent, BookSide, MarketEvent } from '../../model/market/market-event.ts';
import type { Liquidity } from '../../model/trading/order.ts';

export interface WorkingOrder {
  readonly id: string;
  readonly side: BookSide;
  /** Limit price; market buy `Infinity`, market sell `-Infinity`. */
  readonly ticks: number;
  /** Gtc limit: the rest joins the book. */
  readonly rests: boolean;
  lots: number;
  open: boolean;
  /** Lots ahead; `Infinity`: unknown. */
  front: number;
  /** NaN before joining, and on candles. */
  joinedBehind: number;
  /** Printed at its price since the last displayed change. */
  traded: number;
  /** Explainable by later prints (netting window), oldest first. */
  past: PastChange[];
}

/** As seen by a resting order, lots. */
export interface PastChange {
  readonly us: number;
  readonly before: number;
  readonly after: number;
  /** The order's front before the change. */
  frontBefore: number;
  /** Including later prints that explain the change. */
  traded: number;
}

export function workingOrder(id: string, side: BookSide, ticks: number, lots: number, rests: boolean): WorkingOrder {
  return {
    id,
    side,
    ticks,
    rests,
    lots,
    open: true,
    front: 0,
    joinedBehind: Number.NaN,
    traded: 0,
    past: [],
  };
}

/** Market events, and bar opens where only bars are recorded. */
export type Happening = MarketEvent | BarOpenEvent;

/** Called during matching, after `lots` and `open` are set; may cancel other orders. */
export interface MatchListener {
  filled(order: WorkingOrder, ticks: number, lots: number, liquidity: Liquidity, us: number): void;
  /** `reason`: when not simply unfilled. */
  expired(order: WorkingOrder, us: number, reason?: string): void;
  /** Whether the account can pay for a waiting market order's fill. */
  covers(order: WorkingOrder, ticks: number, lots: number): boolean;
}

/** The position of a perpetual while a bar runs. */
export interface MarksInBars {
  /** At the present mid, as far as that is the mark, something may be liquidated. Quick. */
  mayBeDue(): boolean;
  /** The price, or where stops have closed the position on the way from the bar's open. */
  stoppedAt(open: number, price: number): number;
  /** At the present mid. May cancel orders. */
  liquidate(us: number): void;
}

/** Matching of one symbol. Pure. */
export interface MatchingEngine {
  /** Arriving orders can be matched. */
  readonly usable: boolean;
  /** bid + ask, or 0 when unknown. */
  readonly midHalfTicks: number;
  /** `decidedUs`: receive-time clock. */
  submit(order: WorkingOrder, us: number, decidedUs?: number, onBars?: ExitOnBars): void;
  /** At the back, never as a taker. */
  rejoin(order: WorkingOrder, us: number): void;
  cancel(order: WorkingOrder): void;
  /** A cancel in flight, where the decision time matters. */
  cancelComing?(order: WorkingOrder, arrivesUs: number, decidedUs: number): void;
  /** Open orders trade at the bar's open after this, µs; `Infinity` or absent: none. */
  readonly openDueUs?: number;
  tradeOpen?(us: number): void;
  /** µs; the close is unknown before. `Infinity` or absent: no bar. */
  readonly closesUs?: number;
  onMarket(event: Happening): void;
  /** Levels best first; changes nothing. */
  plan(side: BookSide, limitTicks: number, lots: number, visit: (ticks: number, lots: number) => void): void;
}
