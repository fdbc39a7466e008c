/** What a test says about the market, as events of the exchange: books, trades and candles. */
import type { Instrument } from '../model/market/instrument.ts';
import { ASK, BID, type DepthEvent, type TradeEvent } from '../model/market/market-event.ts';
import type { Json } from '../model/text/json.ts';
import type { Side } from '../model/trading/order.ts';
import type { Candle } from '../model/market/views.ts';
import { testingErrors } from './errors.ts';

/** Prices in quote units, quantities in base units. */
export type Rung = readonly [price: number, quantity: number];

export interface ScenarioBook {
  readonly bid?: number;
  readonly ask?: number;
  /** Default 10. */
  readonly bidQuantity?: number;
  /** Default 10. */
  readonly askQuantity?: number;
  /** In place of `bid`, best first. */
  readonly bids?: readonly Rung[];
  /** In place of `ask`, best first. */
  readonly asks?: readonly Rung[];
  /** Default: the first instrument of the scenario. */
  readonly symbol?: string;
}

export interface ScenarioTrade {
  readonly price: number;
  readonly quantity: number;
  /** The taker's. */
  readonly side: Side;
  readonly symbol?: string;
}

/** What another program sends. */
export interface ScenarioSignal {
  readonly name: string;
  readonly data: Json;
  /** Default: one of its own. */
  readonly id?: string;
  /** The sender's time, Unix ms; default now. */
  readonly ts?: number;
}

/** A close, or a bar whose other prices default to open = the close before, high and low = the extremes of both. */
export type ScenarioCandle =
  | number
  | {
      readonly open?: number;
      readonly high?: number;
      readonly low?: number;
      readonly close: number;
      /** Base units; default 1. */
      readonly volume?: number;
    };

const QUANTITY = 10;

function finite(value: number, what: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw testingErrors.make('scenario_invalid', `${what} is ${value}, not a number above zero`, { what });
}

function ticksOf(instrument: Instrument, price: number): number {
  const ticks = instrument.ticksOf(finite(price, `a price of ${instrument.symbol}`));
  if (Number.isInteger(ticks)) return ticks;
  const { symbol, spec } = instrument;
  throw testingErrors.make('scenario_invalid', `the price ${price} of ${symbol} is not on its tick, ${spec.tickSize}`);
}

function lotsOf(instrument: Instrument, quantity: number): number {
  const lots = instrument.lotsOf(finite(quantity, `a quantity of ${instrument.symbol}`));
  if (Number.isInteger(lots)) return lots;
  const { symbol, spec } = instrument;
  throw testingErrors.make('scenario_invalid', `${quantity} of ${symbol} is not on its lot, ${spec.lotSize}`);
}

export function bookEvent(instrument: Instrument, us: number, book: ScenarioBook): DepthEvent {
  const bids = book.bids ?? (book.bid === undefined ? [] : [[book.bid, book.bidQuantity ?? QUANTITY] as const]);
  const asks = book.asks ?? (book.ask === undefined ? [] : [[book.ask, book.askQuantity ?? QUANTITY] as const]);
  const [best, worst] = [bids[0]?.[0], asks[0]?.[0]];
  if (best !== undefined && worst !== undefined && best >= worst)
    throw testingErrors.make('scenario_invalid', `a book of bid ${best} and ask ${worst} is crossed`);
  const all = [...bids, ...asks];
  return {
    kind: 'depth',
    instrument,
    exchangeUs: us,
    receiveUs: us,
    snapshot: true,
    firstId: 0,
    lastId: 0,
    previousId: 0,
    levels: {
      sides: Uint8Array.from(all, (_, index) => (index < bids.length ? BID : ASK)),
      ticks: Float64Array.from(all, ([price]) => ticksOf(instrument, price)),
      lots: Float64Array.from(all, ([, quantity]) => lotsOf(instrument, quantity)),
      from: 0,
      to: all.length,
    },
  };
}

/** The book without other orders at the trade's price or better, so that none is ahead of an own order there. */
export function bookBehind(book: DepthEvent, { ticks, takerBuys }: TradeEvent, us: number): DepthEvent {
  const { sides, ticks: prices, lots, from, to } = book.levels;
  const side = takerBuys ? ASK : BID;
  const worse = takerBuys ? 1 : -1;
  const guard = { side, ticks: Math.max(1, ticks + worse), lots: 1 };
  const kept = [guard];
  for (let index = from; index < to; index++) {
    const level = { side: sides[index] as typeof side, ticks: prices[index]!, lots: lots[index]! };
    if (level.side !== side || (level.ticks - guard.ticks) * worse > 0) kept.push(level);
  }
  return {
    ...book,
    exchangeUs: us,
    receiveUs: us,
    levels: {
      sides: Uint8Array.from(kept, (level) => level.side),
      ticks: Float64Array.from(kept, (level) => level.ticks),
      lots: Float64Array.from(kept, (level) => level.lots),
      from: 0,
      to: kept.length,
    },
  };
}

export function tradeEvent(instrument: Instrument, us: number, id: number, trade: ScenarioTrade): TradeEvent {
  return {
    kind: 'trade',
    instrument,
    exchangeUs: us,
    receiveUs: us,
    tradeId: `scenario-${id}`,
    ticks: ticksOf(instrument, trade.price),
    lots: lotsOf(instrument, trade.quantity),
    takerBuys: trade.side === 'buy',
  };
}

export interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export function barsOf(candles: readonly ScenarioCandle[], before?: number): readonly Bar[] {
  let last = before;
  return candles.map((candle) => {
    const given = typeof candle === 'number' ? { close: candle } : candle;
    const { close } = given;
    const open = given.open ?? last ?? close;
    const high = given.high ?? Math.max(open, close);
    const low = given.low ?? Math.min(open, close);
    if (low > Math.min(open, close) || high < Math.max(open, close))
      throw testingErrors.make(
        'scenario_invalid',
        `a candle of low ${low}, high ${high} does not hold ${open}, ${close}`,
      );
    last = close;
    return { open, high, low, close, volume: finite(given.volume ?? 1, 'a volume') };
  });
}

/** Open, the nearer extreme, the other one, close. */
export function pathOf({ open, high, low, close }: Bar): readonly number[] {
  return close >= open ? [open, low, high, close] : [open, high, low, close];
}

/** Closed ones that end at `endMs`. */
export function candlesBefore(
  symbol: string,
  bars: readonly Bar[],
  intervalMs: number,
  endMs: number,
): readonly Candle[] {
  return bars.map((bar, index) => ({
    ...bar,
    symbol,
    openTime: endMs - (bars.length - index) * intervalMs,
    intervalMs,
    closed: true,
  }));
}
