/** Public data of one symbol in wire form. */
import { ASK, BID, type BookSide } from '../../../model/market/market-event.ts';
import { decimalText, dec } from '../../../model/numbers/money.ts';
import type { Instrument } from '../../../model/market/instrument.ts';
import type { MinuteCandle } from './candles.ts';
import type { PublicTrade, SymbolMarket } from '../orders/order-record.ts';

export type LevelRow = readonly [price: string, quantity: string];

export function levelRows(market: SymbolMarket, side: BookSide, limit: number): LevelRow[] {
  const { instrument, book } = market;
  const rows: LevelRow[] = [];
  if (limit <= 0) return rows;
  book.walk(side, (ticks, lots) => {
    rows.push([instrument.priceText(ticks), instrument.quantityText(lots)]);
    return rows.length < limit;
  });
  return rows;
}

export function bookBody(market: SymbolMarket, seq: number, now: number, limit: number): object {
  return {
    symbol: market.instrument.symbol,
    seq,
    ts: now,
    bids: levelRows(market, BID, limit),
    asks: levelRows(market, ASK, limit),
  };
}

export function tradeBody(instrument: Instrument, trade: PublicTrade): object {
  return {
    tradeId: trade.tradeId,
    price: instrument.priceText(trade.ticks),
    quantity: instrument.quantityText(trade.lots),
    side: trade.side,
    ts: trade.ts,
  };
}

export function candleBody(instrument: Instrument, candle: MinuteCandle, intervalMs: number, now: number): object {
  return {
    openTime: candle.openTime,
    open: instrument.priceText(candle.open),
    high: instrument.priceText(candle.high),
    low: instrument.priceText(candle.low),
    close: instrument.priceText(candle.close),
    volume: instrument.quantityText(candle.lots),
    closed: candle.openTime + intervalMs <= now,
  };
}

/** "0" before the first trade or order. */
export function tickerBody(market: SymbolMarket, now: number): object {
  const { instrument, book } = market;
  const day = market.candles.day(now);
  return {
    symbol: instrument.symbol,
    last: instrument.priceText(market.lastTicks),
    bid: instrument.priceText(book.bidTicks),
    ask: instrument.priceText(book.askTicks),
    open: instrument.priceText(day.open),
    high: instrument.priceText(day.high),
    low: instrument.priceText(day.low),
    volume: instrument.quantityText(day.lots),
    quoteVolume: decimalText(dec(day.value.toString()).times(instrument.spec.tickSize).times(instrument.spec.lotSize)),
    ts: now,
  };
}

/** Of the last traded minute; fractions, four places. */
export function volumeRatioBody(market: SymbolMarket): object {
  const candle = market.candles.latest;
  const buy = candle === undefined || candle.lots === 0 ? 0.5 : candle.takerBuyLots / candle.lots;
  const buyText = dec(buy.toFixed(4));
  return {
    symbol: market.instrument.symbol,
    buy: decimalText(buyText),
    sell: decimalText(dec(1).minus(buyText)),
  };
}
