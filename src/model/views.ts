/**
 * What a strategy sees of the market: fresh, frozen values with JS numbers and Unix ms. Only `BookView` is a live view
 * (wall 8). Strategy API, "Context".
 */
import type { Side } from './order.ts';

export interface Top {
  readonly ts: number;
  readonly symbol: string;
  readonly bid: number;
  readonly bidQuantity: number;
  readonly ask: number;
  readonly askQuantity: number;
  readonly mid: number;
}

export interface Level {
  readonly price: number;
  readonly quantity: number;
}

export interface BookSnapshot {
  readonly ts: number;
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Live: reads the book as it is when called, not as it was when emitted. */
export interface BookView {
  readonly symbol: string;
  /** Unix ms of the last change. */
  readonly ts: number;
  /** The best `n` levels, best first. */
  bids(n: number): readonly Level[];
  asks(n: number): readonly Level[];
  /** A frozen copy of the whole book. */
  snapshot(): BookSnapshot;
}

export interface Trade {
  readonly ts: number;
  readonly symbol: string;
  readonly price: number;
  readonly quantity: number;
  /** The taker's side. */
  readonly side: Side;
}

export interface Candle {
  readonly symbol: string;
  readonly openTime: number;
  readonly intervalMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly volume: number;
  readonly closed: boolean;
}

export interface Ticker {
  readonly ts: number;
  readonly symbol: string;
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  readonly quoteVolume: number;
}

export interface FundingRate {
  readonly ts: number;
  readonly symbol: string;
  readonly rate: number;
  readonly nextFundingTime: number;
}

export interface MarkPrice {
  readonly ts: number;
  readonly symbol: string;
  readonly markPrice: number;
  readonly indexPrice: number;
}

/** Emitted when data goes stale or missing (`to` null) and again when it is back (`to` set). */
export interface Gap {
  readonly symbol: string;
  readonly from: number;
  readonly to: number | null;
  readonly reason: string;
}
