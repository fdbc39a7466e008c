/**
 * Decoded market data in integer ticks, lots and microseconds.
 *
 * Producers may reuse objects: an event is valid only during the call.
 *
 *   levels (columns, shared with the tape, rows [from, to)):
 *     sides  0 0 0 1 1      0 = bid, 1 = ask
 *     ticks  9 8 7 10 11
 *     lots   5 2 0  1  4    absolute; 0 removes the level
 */
import type { Instrument } from './instrument.ts';

export const BID = 0;
export const ASK = 1;
export type BookSide = typeof BID | typeof ASK;

export interface LevelRows {
  readonly sides: Uint8Array;
  readonly ticks: Float64Array;
  readonly lots: Float64Array;
  from: number;
  to: number;
}

interface EventBase {
  instrument: Instrument;
  /** Exchange clock. */
  exchangeUs: number;
  /** Local clock, repaired (docs/tape.md). */
  receiveUs: number;
}

/** Ids as in `book-sync.ts`; 0 when the source has none. */
export interface DepthEvent extends EventBase {
  kind: 'depth';
  snapshot: boolean;
  firstId: number;
  lastId: number;
  previousId: number;
  levels: LevelRows;
}

export interface TradeEvent extends EventBase {
  kind: 'trade';
  /** Unique per symbol. */
  tradeId: string;
  ticks: number;
  lots: number;
  takerBuys: boolean;
}

/** `updateId` 0: none; an empty side has 0 lots. */
export interface QuoteEvent extends EventBase {
  kind: 'quote';
  updateId: number;
  bidTicks: number;
  bidLots: number;
  askTicks: number;
  askLots: number;
}

/** JS numbers, volume in base units; `openTime` Unix ms. */
interface BarBase extends EventBase {
  intervalMs: number;
  openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  closed: boolean;
}

export interface CandleEvent extends BarBase {
  kind: 'candle';
}

export interface TickerEvent extends EventBase {
  kind: 'ticker';
  last: number;
  bid: number;
  ask: number;
  open: number;
  high: number;
  low: number;
  volume: number;
  quoteVolume: number;
}

export interface MarkEvent extends EventBase {
  kind: 'mark';
  markPrice: number;
  indexPrice: number;
}

export interface FundingEvent extends EventBase {
  kind: 'funding';
  /** Fraction per interval, canonical text; longs pay when positive. */
  rate: string;
  /** Unix ms; 0 when this is the settlement itself. */
  nextFundingTime: number;
}

/** Missing or stale from `fromUs`; `open` false: until `exchangeUs`. */
export interface GapEvent extends EventBase {
  kind: 'gap';
  reason: string;
  fromUs: number;
  open: boolean;
}

export type MarketEvent =
  | DepthEvent
  | TradeEvent
  | QuoteEvent
  | CandleEvent
  | TickerEvent
  | MarkEvent
  | FundingEvent
  | GapEvent;

export type MarketEventKind = MarketEvent['kind'];

/** The whole bar at its open, for the simulated venue (`recording/tape/openings.ts`). */
export interface BarOpenEvent extends BarBase {
  kind: 'bar-open';
}

/** Must not keep the object. */
export type MarketSink = (event: MarketEvent) => void;

export type SequenceRule =
  /** Each is one more; a snapshot carries its last update's. */
  | 'seq'
  /** Binance spot: first update U ≤ last + 1 ≤ u, then U = previous u + 1. */
  | 'U/u'
  /** Binance futures: first update U ≤ last ≤ u, then pu = previous u. */
  | 'pu'
  /** Only a crossed book is detected. */
  | 'none';
