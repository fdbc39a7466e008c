/**
 * An own order inside a matching engine, and what an engine tells about it. The venue owns the order's money and reports;
 * the engine owns its remaining lots and its place in the queue. Used by `own-level.ts`, `matching.ts`, `candle-matching.ts`.
 */
import type { BarOpenEvent, BookSide, MarketEvent } from '../model/market-event.ts';
import type { Liquidity } from '../model/order.ts';

export interface WorkingOrder {
  readonly id: string;
  /** `BID`: a buy. */
  readonly side: BookSide;
  /** Limit price; `Infinity` for a market buy, `-Infinity` for a market sell. */
  readonly ticks: number;
  /** A gtc limit: its rest joins the book. */
  readonly rests: boolean;
  /** What is left to fill. */
  lots: number;
  /** False once filled, cancelled or expired. */
  open: boolean;
  /** Others ahead at its price, lots (M3, M6). `Infinity`: not known, the data does not show this price. */
  front: number;
  /** `front` when it joined; NaN until then, and where nothing is known of queues (candles). */
  joinedBehind: number;
  /** Printed at its price since the last change of the displayed quantity that it saw. */
  traded: number;
  /** Changes of its price that prints to come may still explain (M6, netting window), oldest first. */
  past: PastChange[];
}

/** A change of the displayed quantity as a resting order saw it. Lots. */
export interface PastChange {
  readonly us: number;
  readonly before: number;
  readonly after: number;
  /** The order's front before the change. */
  frontBefore: number;
  /** Printed before the change, and after it as far as it explains the change. */
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

/** What the venue lives: the market's events, and where only bars are recorded, that one begins. */
export type Happening = MarketEvent | BarOpenEvent;

/** Called while the engine works: `filled` after `lots` and `open` of the order were set. May cancel other orders. */
export interface MatchListener {
  filled(order: WorkingOrder, ticks: number, lots: number, liquidity: Liquidity, us: number): void;
  /** The rest of an ioc or market order; `reason` when it is not simply unfilled. */
  expired(order: WorkingOrder, us: number, reason?: string): void;
  /** Whether the account can pay for this fill of a market order that has waited: nothing is locked for it. */
  covers(order: WorkingOrder, ticks: number, lots: number): boolean;
}

/** One symbol's matching. Pure: time comes in with the calls, results leave through the listener. */
export interface MatchingEngine {
  /** True when an order that arrives now can be matched. */
  readonly usable: boolean;
  /** Mid as exact half ticks (bid + ask), or 0 when unknown. */
  readonly midHalfTicks: number;
  /** A new order arrives at the venue. `decidedUs`: when it was decided, by the clock of receive times. */
  submit(order: WorkingOrder, us: number, decidedUs?: number): void;
  /** A restored resting order: joins at the back, never as a taker (T6). */
  rejoin(order: WorkingOrder, us: number): void;
  cancel(order: WorkingOrder): void;
  /** A cancel has left that will be there at `arrivesUs`. Of engines for which it counts when it was decided. */
  cancelComing?(order: WorkingOrder, arrivesUs: number, decidedUs: number): void;
  /** After when orders that stand are to trade at the open of the bar that runs, µs; `Infinity`, absent: none is to. */
  readonly openDueUs?: number;
  tradeOpen?(us: number): void;
  /** When the bar that runs ends, µs: its close is not known before; `Infinity`, absent: none runs. */
  readonly closesUs?: number;
  onMarket(event: Happening): void;
  /** What a taker would trade now: levels best first, each with the lots it would take. Changes nothing. */
  plan(side: BookSide, limitTicks: number, lots: number, visit: (ticks: number, lots: number) => void): void;
}
