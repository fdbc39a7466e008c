/**
 * What an importer's parser reads out of one raw frame: the source's own words, prices and quantities still as text.
 * The same parse serves twice: at import, to find symbols, tick and lot; at compile, to make market events of it.
 */
import type { SequenceRule } from '../../model/market-event.ts';

/** Price and quantity as the source wrote them, text or JSON number. */
export type RawLevel = readonly unknown[];

interface RawBase {
  /** The source's symbol; empty when the frame does not say (a bare snapshot). */
  readonly symbol: string;
  /** Exchange time, µs; `NaN` when the frame has none. */
  readonly exchangeUs: number;
  /** The source has no receive time of its own: receive = exchange + base latency (T1). */
  readonly oneTime?: boolean;
}

export interface RawDepth extends RawBase {
  readonly kind: 'depth';
  readonly snapshot: boolean;
  readonly firstId: number;
  readonly lastId: number;
  readonly previousId: number;
  /** Which rule the ids of this frame follow. */
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

/** `ok`, or what kind of frame it is that carries no market event, or why it cannot be read. */
export type ParseResult = 'ok' | { readonly ignored: string } | { readonly failed: string };

/** Reads one raw frame; hands over its messages in order. Never throws. */
export type FrameParser = (text: string, receiveUs: number, out: (message: RawMessage) => void) => ParseResult;
