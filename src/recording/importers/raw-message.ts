/** A parsed raw frame with the source's own texts, for import and compile. */
import type { SequenceRule } from '../../model/market/market-event.ts';

/** Price and quantity, text or JSON number. */
export type RawLevel = readonly unknown[];

interface RawBase {
  /** Empty when not named. */
  readonly symbol: string;
  /** µs; `NaN` when the frame has none. */
  readonly exchangeUs: number;
  /** No receive time: receive = exchange + base latency. */
  readonly oneTime?: boolean;
}

export interface RawDepth extends RawBase {
  readonly kind: 'depth';
  readonly snapshot: boolean;
  readonly firstId: number;
  readonly lastId: number;
  readonly previousId: number;
  readonly rule: SequenceRule;
  readonly bids: readonly RawLevel[];
  readonly asks: readonly RawLevel[];
}

export interface RawTrade extends RawBase {
  readonly kind: 'trade';
  readonly tradeId: string;
  readonly price: unknown;
  readonly quantity: unknown;
  readonly takerBuys: boolean;
  /** Several fills of one order as one, with ids of their own. */
  readonly aggregated?: boolean;
}

export interface RawQuote extends RawBase {
  readonly kind: 'quote';
  readonly updateId: number;
  readonly bid: unknown;
  readonly bidQuantity: unknown;
  readonly ask: unknown;
  readonly askQuantity: unknown;
}

export interface RawCandle extends RawBase {
  readonly kind: 'candle';
  readonly intervalMs: number;
  /** Unix ms. */
  readonly openTime: number;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  /** Base units. */
  readonly volume: unknown;
  readonly closed: boolean;
}

export interface RawMark extends RawBase {
  readonly kind: 'mark';
  readonly markPrice: number;
  readonly indexPrice: number;
}

export interface RawFunding extends RawBase {
  readonly kind: 'funding';
  readonly rate: string;
  readonly nextFundingTime: number;
}

export type RawMessage = RawDepth | RawTrade | RawQuote | RawCandle | RawMark | RawFunding;

/** `ok`, the kind without market event, or the problem. */
export type ParseResult = 'ok' | { readonly ignored: string } | { readonly failed: string };

/** In order. Never throws. */
export type FrameParser = (text: string, receiveUs: number, out: (message: RawMessage) => void) => ParseResult;
