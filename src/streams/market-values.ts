/**
 * Market events as the frozen values of strategies: JS numbers, Unix ms of the exchange. Called only for subscribers.
 */
import type { OrderBook } from '../model/book/book.ts';
import type { FundingEvent, GapEvent, MarkEvent, TickerEvent, TradeEvent } from '../model/market/market-event.ts';
import { msOf } from '../model/time.ts';
import type { FundingRate, Gap, MarkPrice, Ticker, Top, Trade } from '../model/market/views.ts';

export type SeenTop = Pick<OrderBook, 'instrument' | 'exchangeUs' | 'bidTicks' | 'bidLots' | 'askTicks' | 'askLots'>;

/** Computed in half ticks: the double nearest to the exact mid. */
export function midOf(book: Omit<SeenTop, 'exchangeUs'>): number {
  return book.instrument.priceOf((book.bidTicks + book.askTicks) / 2);
}

/** The best levels; undefined while a side is empty. */
export function topOf(book: SeenTop): Top | undefined {
  if (book.bidLots === 0 || book.askLots === 0) return undefined;
  const { instrument } = book;
  return Object.freeze({
    ts: msOf(book.exchangeUs),
    symbol: instrument.symbol,
    bid: instrument.priceOf(book.bidTicks),
    bidQuantity: instrument.quantityOf(book.bidLots),
    ask: instrument.priceOf(book.askTicks),
    askQuantity: instrument.quantityOf(book.askLots),
    mid: midOf(book),
  });
}

export function tradeOf(event: TradeEvent): Trade {
  const { instrument } = event;
  return Object.freeze({
    ts: msOf(event.exchangeUs),
    symbol: instrument.symbol,
    price: instrument.priceOf(event.ticks),
    quantity: instrument.quantityOf(event.lots),
    side: event.takerBuys ? 'buy' : 'sell',
  });
}

export function tickerOf(event: TickerEvent): Ticker {
  const { last, bid, ask, open, high, low, volume, quoteVolume } = event;
  const symbol = event.instrument.symbol;
  return Object.freeze({ ts: msOf(event.exchangeUs), symbol, last, bid, ask, open, high, low, volume, quoteVolume });
}

export function fundingOf(event: FundingEvent): FundingRate {
  return Object.freeze({
    ts: msOf(event.exchangeUs),
    symbol: event.instrument.symbol,
    rate: Number(event.rate),
    nextFundingTime: event.nextFundingTime,
  });
}

export function markOf(event: MarkEvent): MarkPrice {
  const { markPrice, indexPrice } = event;
  return Object.freeze({ ts: msOf(event.exchangeUs), symbol: event.instrument.symbol, markPrice, indexPrice });
}

export function gapOf(event: GapEvent): Gap {
  const to = event.open ? null : msOf(event.exchangeUs);
  return Object.freeze({ symbol: event.instrument.symbol, from: msOf(event.fromUs), to, reason: event.reason });
}
