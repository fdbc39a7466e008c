/**
 * Decoded public market data on its way to books, matching and strategies. Prices and quantities are integer ticks and
 * lots of `instrument`; times are integer microseconds (rule T1).
 *
 * A producer may reuse one object per kind: an event is valid only during the call that hands it over. Whoever keeps
 * something copies it. What a strategy sees is made fresh from it by `streams/` (wall 8).
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
  /** When it happened, exchange clock. */
  exchangeUs: number;
  /** When we received it, local clock after repair (T2). */
  receiveUs: number;
}

/** A depth snapshot or update. Ids are those of the book-sync rule (`book-sync.ts`); 0 when the source has none. */
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
  /** The exchange's id; unique per symbol. */
  tradeId: string;
  ticks: number;
  lots: number;
  /** True when the taker bought. */
  takerBuys: boolean;
}

/** A best quote (Binance bookTicker, Tardis quotes). `updateId` is 0 when the source has none. A side without a level has 0 lots. */
export interface QuoteEvent extends EventBase {
  kind: 'quote';
  updateId: number;
  bidTicks: number;
  bidLots: number;
  askTicks: number;
  askLots: number;
}

/** Prices and volume are JS numbers; `openTime` Unix ms; volume in base units. */
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

/** A candle of the exchange or of a file. */
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
  /** Fraction per interval; longs pay when positive. Canonical text, since it moves money. */
  rate: string;
  /** Unix ms of the next settlement; 0 when this is the settlement itself. */
  nextFundingTime: number;
}

/** Data is missing or stale from `fromUs` on; `open` false says that it ended at `exchangeUs`. */
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

/**
 * A recorded bar begins. No exchange says this: it comes from the tape (`recording/openings.ts`), for the simulated venue
 * alone, which must trade at the open before the bar has closed. Both times are that of the open; the rest is the whole bar,
 * as its candle will tell it.
 */
export interface BarOpenEvent extends BarBase {
  kind: 'bar-open';
}

/** Whoever takes market events: a book, the matching engine, the strategy side, a recorder. Must not keep the object. */
export type MarketSink = (event: MarketEvent) => void;

/** How a stream's depth messages prove that none is missing: rule as data (`book-sync.ts`). */
export type SequenceRule =
  /** Wire profile: `seq` + 1 each; a snapshot carries the seq of the last update it includes. */
  | 'seq'
  /** Binance spot: first update U ≤ last + 1 ≤ u, then U = previous u + 1. */
  | 'U/u'
  /** Binance futures: first update U ≤ last ≤ u, then pu = previous u. */
  | 'pu'
  /** No sequence: snapshots replace, updates apply; only the crossed-book check protects. */
  | 'none';
