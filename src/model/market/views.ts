/** Market values for strategies: fresh, frozen, JS numbers, Unix ms. Only `BookView` is live. */
import type { Side } from '../trading/order.ts';

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

/** Live: the current book, not that of the event. */
export interface BookView {
  readonly symbol: string;
  /** Last change. */
  readonly ts: number;
  /** Best first. */
  bids(n: number): readonly Level[];
  asks(n: number): readonly Level[];
  /** Frozen, whole book. */
  snapshot(): BookSnapshot;
}

/**
 * Live: what is known now. A price is NaN while it is unknown: `bid` and `ask` before the first book, while the side is
 * empty, and during a gap. Prices in quote currency, quantities in base units.
 */
export interface MarketView {
  readonly symbol: string;
  /** Last change of the book, Unix ms; NaN before the first. */
  readonly ts: number;
  readonly bid: number;
  readonly ask: number;
  /** Of a two-sided book. Data without any book (candles, trades) has the last trade or close. */
  readonly mid: number;
  /** Last trade or close; NaN before the first. Kept during a gap. */
  readonly last: number;
  /** Mark price of a perpetual; NaN on spot and before the first. */
  readonly mark: number;
  /** Best first, at most `n`; empty while the book is unknown. */
  bids(n: number): readonly Level[];
  asks(n: number): readonly Level[];
}

export interface Trade {
  readonly ts: number;
  readonly symbol: string;
  readonly price: number;
  readonly quantity: number;
  /** The taker's. */
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

/** Stale or missing (`to` null), and the recovery (`to` set). */
export interface Gap {
  readonly symbol: string;
  readonly from: number;
  readonly to: number | null;
  readonly reason: string;
}
