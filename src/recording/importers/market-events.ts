/** Raw messages to market events. A value off the grid is an error, never rounded. Objects are reused. */
import type { Instrument } from '../../model/market/instrument.ts';
import { ASK, BID, type DepthEvent, type LevelRows, type MarketEvent } from '../../model/market/market-event.ts';
import type { RawCandle, RawDepth, RawLevel, RawMessage, RawQuote, RawTrade } from './raw-message.ts';

interface Stamp {
  readonly instrument: Instrument;
  readonly exchangeUs: number;
  readonly receiveUs: number;
}

function ticksOf(instrument: Instrument, value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? instrument.ticksOf(value) : Number.NaN;
}

function lotsOf(instrument: Instrument, value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? instrument.lotsOf(value) : Number.NaN;
}

export class MarketEventMaker {
  #levels: LevelRows = columns(256);

  /** Or why there is none. `receiveUs` `NaN`: one time only. */
  make(raw: RawMessage, instrument: Instrument, receiveUs: number): MarketEvent | string {
    const stamp = { instrument, exchangeUs: raw.exchangeUs, receiveUs: raw.oneTime === true ? Number.NaN : receiveUs };
    switch (raw.kind) {
      case 'depth':
        return this.#depth(raw, stamp);
      case 'trade':
        return tradeEvent(raw, stamp);
      case 'quote':
        return quoteEvent(raw, stamp);
      case 'candle':
        return candleEvent(raw, stamp);
      case 'mark':
        return { kind: 'mark', ...stamp, markPrice: raw.markPrice, indexPrice: raw.indexPrice };
      case 'funding':
        return { kind: 'funding', ...stamp, rate: raw.rate, nextFundingTime: raw.nextFundingTime };
    }
  }

  #depth(raw: RawDepth, stamp: Stamp): DepthEvent | string {
    const count = raw.bids.length + raw.asks.length;
    if (count > this.#levels.sides.length) this.#levels = columns(count * 2);
    this.#levels.to = 0;
    const broken = this.#side(raw.bids, BID, stamp.instrument) ?? this.#side(raw.asks, ASK, stamp.instrument);
    if (broken !== null) return broken;
    const { snapshot, firstId, lastId, previousId } = raw;
    return { kind: 'depth', ...stamp, snapshot, firstId, lastId, previousId, levels: this.#levels };
  }

  #side(levels: readonly RawLevel[], side: number, instrument: Instrument): string | null {
    const rows = this.#levels;
    let at = rows.to;
    for (const level of levels) {
      const ticks = ticksOf(instrument, level[0]);
      const lots = lotsOf(instrument, level[1]);
      if (!(ticks > 0)) return offGrid('price', level[0], 'tick', instrument.spec.tickSize);
      if (!(lots >= 0)) return offGrid('quantity', level[1], 'lot', instrument.spec.lotSize);
      rows.sides[at] = side;
      rows.ticks[at] = ticks;
      rows.lots[at] = lots;
      at++;
    }
    rows.to = at;
    return null;
  }
}

function columns(size: number): LevelRows {
  return { sides: new Uint8Array(size), ticks: new Float64Array(size), lots: new Float64Array(size), from: 0, to: 0 };
}

function tradeEvent(raw: RawTrade, stamp: Stamp): MarketEvent | string {
  const ticks = ticksOf(stamp.instrument, raw.price);
  const lots = lotsOf(stamp.instrument, raw.quantity);
  if (!(ticks > 0)) return offGrid('trade price', raw.price, 'tick', stamp.instrument.spec.tickSize);
  if (!(lots > 0)) return offGrid('trade quantity', raw.quantity, 'lot', stamp.instrument.spec.lotSize);
  return { kind: 'trade', ...stamp, tradeId: raw.tradeId, ticks, lots, takerBuys: raw.takerBuys };
}

function offGrid(what: string, value: unknown, step: 'tick' | 'lot', size: string): string {
  return `${what} ${String(value)} is no positive multiple of the ${step} ${size}, or 2^53 of it or more`;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Null without price or quantity. */
function quoteSide(instrument: Instrument, price: unknown, quantity: unknown): readonly [number, number] | null {
  if (isBlank(price) || isBlank(quantity)) return [0, 0];
  const ticks = ticksOf(instrument, price);
  const lots = lotsOf(instrument, quantity);
  if (lots === 0) return [0, 0];
  return ticks > 0 && lots > 0 ? [ticks, lots] : null;
}

function quoteEvent(raw: RawQuote, stamp: Stamp): MarketEvent | string {
  const bid = quoteSide(stamp.instrument, raw.bid, raw.bidQuantity);
  const ask = quoteSide(stamp.instrument, raw.ask, raw.askQuantity);
  if (bid === null)
    return `best bid ${String(raw.bid)} × ${String(raw.bidQuantity)} is no positive multiple of tick and lot`;
  if (ask === null)
    return `best ask ${String(raw.ask)} × ${String(raw.askQuantity)} is no positive multiple of tick and lot`;
  return {
    kind: 'quote',
    ...stamp,
    updateId: raw.updateId,
    bidTicks: bid[0],
    bidLots: bid[1],
    askTicks: ask[0],
    askLots: ask[1],
  };
}

/** Other bars are refused. */
export function isBar(raw: RawCandle): boolean {
  const [open, high, low] = [Number(raw.open), Number(raw.high), Number(raw.low)];
  const [close, volume] = [Number(raw.close), Number(raw.volume)];
  const isFinite = high < Infinity && volume < Infinity;
  return isFinite && low > 0 && high >= open && high >= close && low <= open && low <= close && volume >= 0;
}

function candleEvent(raw: RawCandle, stamp: Stamp): MarketEvent | string {
  const [open, high, low] = [Number(raw.open), Number(raw.high), Number(raw.low)];
  const [close, volume] = [Number(raw.close), Number(raw.volume)];
  if (!isBar(raw)) return `candle ${open}/${high}/${low}/${close} with volume ${volume} is not one`;
  const { intervalMs, openTime, closed } = raw;
  return { kind: 'candle', ...stamp, intervalMs, openTime, open, high, low, close, volume, closed };
}
