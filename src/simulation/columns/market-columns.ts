/**
 * One symbol's market in exchange order as columns: a function of the tape alone, as own orders do not move it (rule M10).
 *
 *   a message   us │ levelTo: end of its level rows, which begin where those before end │ trade: the number of trades before it
 *   in a pass   kind: what it does to the book │ best prices and lots after it
 *
 * Passes over the same data (`--repeat`) share the messages: the first one starts without a book.
 */
import type { Instrument } from '../../model/market/instrument.ts';

/** Changes nothing. */
export const KIND_NOTHING = 0;
/** An update that moved a synchronised book. */
export const KIND_DEPTH = 1;
/** A best quote that moved a synchronised book. */
export const KIND_QUOTE = 2;
export const KIND_BUYS = 3;
export const KIND_SELLS = 4;
/** Only matching on the ladder can say. */
export const KIND_OTHER = 5;

/** 0 lots: an empty side. */
export interface Tops {
  readonly bidTicks: Float64Array;
  readonly bidLots: Float64Array;
  readonly askTicks: Float64Array;
  readonly askLots: Float64Array;
}

export interface MarketColumns {
  readonly instrument: Instrument;
  readonly count: number;
  readonly us: Float64Array;
  readonly levelTo: Uint32Array;
  readonly trade: Uint32Array;
  readonly tradeTicks: Float64Array;
  readonly tradeLots: Float64Array;
  readonly sides: Uint8Array;
  readonly ticks: Float64Array;
  readonly lots: Float64Array;
}

export interface PassColumns {
  readonly kinds: Uint8Array;
  readonly tops: Tops;
}
