/** Market events and a recording listener for the simulation tests: whole ticks of 1 and whole lots of 1. */
import { Instruments, type Instrument, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import {
  ASK,
  BID,
  type BookSide,
  type CandleEvent,
  type DepthEvent,
  type GapEvent,
  type QuoteEvent,
  type TradeEvent,
} from '../../src/model/market/market-event.ts';
import { BookMatching, type MatchingOptions } from '../../src/simulation/matching/matching.ts';
import { createQueueModel, riskAverse } from '../../src/simulation/matching/queue.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { workingOrder, type MatchListener, type WorkingOrder } from '../../src/simulation/matching/working-order.ts';

export const spec: InstrumentSpec = {
  symbol: 'AAABBB',
  market: 'spot',
  base: 'AAA',
  quote: 'BBB',
  tickSize: '1',
  lotSize: '1',
  minQuantity: '1',
  maxQuantity: '1000000',
  minNotional: '1',
  status: 'trading',
};
export const perpetualSpec: InstrumentSpec = { ...spec, symbol: 'AAABBBPERP', market: 'derivative', settle: 'BBB' };

export const instruments = new Instruments([spec, perpetualSpec]);
export const spot: Instrument = instruments.find('AAABBB') as Instrument;
export const perpetual: Instrument = instruments.find('AAABBBPERP') as Instrument;

type Levels = Readonly<Record<number, number>>;

export function depth(bids: Levels, asks: Levels, over: Partial<DepthEvent> = {}): DepthEvent {
  const rows: [BookSide, number, number][] = [];
  for (const [ticks, lots] of Object.entries(bids)) rows.push([BID, Number(ticks), lots]);
  for (const [ticks, lots] of Object.entries(asks)) rows.push([ASK, Number(ticks), lots]);
  return {
    kind: 'depth',
    instrument: spot,
    exchangeUs: 0,
    receiveUs: 0,
    snapshot: false,
    firstId: 0,
    lastId: 0,
    previousId: 0,
    levels: {
      sides: Uint8Array.from(rows, (row) => row[0]),
      ticks: Float64Array.from(rows, (row) => row[1]),
      lots: Float64Array.from(rows, (row) => row[2]),
      from: 0,
      to: rows.length,
    },
    ...over,
  };
}

export function snapshot(bids: Levels, asks: Levels, over: Partial<DepthEvent> = {}): DepthEvent {
  return depth(bids, asks, { snapshot: true, ...over });
}

/** `taker`: the side of the aggressor. */
export function trade(taker: 'buy' | 'sell', ticks: number, lots: number, over: Partial<TradeEvent> = {}): TradeEvent {
  return {
    kind: 'trade',
    instrument: spot,
    exchangeUs: 0,
    receiveUs: 0,
    tradeId: '1',
    ticks,
    lots,
    takerBuys: taker === 'buy',
    ...over,
  };
}

export function quote(
  bid: readonly [number, number],
  ask: readonly [number, number],
  over: Partial<QuoteEvent> = {},
): QuoteEvent {
  return {
    kind: 'quote',
    instrument: spot,
    exchangeUs: 0,
    receiveUs: 0,
    updateId: 0,
    bidTicks: bid[0],
    bidLots: bid[1],
    askTicks: ask[0],
    askLots: ask[1],
    ...over,
  };
}

export function gap(open: boolean, over: Partial<GapEvent> = {}): GapEvent {
  return { kind: 'gap', instrument: spot, exchangeUs: 0, receiveUs: 0, reason: 'test', fromUs: 0, open, ...over };
}

export function candle(
  [open, high, low, close]: readonly [number, number, number, number],
  volume: number,
  over: Partial<CandleEvent> = {},
): CandleEvent {
  return {
    kind: 'candle',
    instrument: spot,
    exchangeUs: 60_000_000,
    receiveUs: 60_000_000,
    intervalMs: 60_000,
    openTime: 0,
    open,
    high,
    low,
    close,
    volume,
    closed: true,
    ...over,
  };
}

/** Fills as `id lots@ticks maker|taker`, expiries as `id expired`. */
export class Tape implements MatchListener {
  readonly seen: string[] = [];

  filled(order: WorkingOrder, ticks: number, lots: number, liquidity: string): void {
    this.seen.push(`${order.id} ${lots}@${ticks} ${liquidity}`);
  }

  expired(order: WorkingOrder, _us: number, reason?: string): void {
    this.seen.push(`${order.id} expired${reason === undefined ? '' : ` ${reason}`}`);
  }

  covers(): boolean {
    return true;
  }
}

export const buy = (id: string, ticks: number, lots: number): WorkingOrder => workingOrder(id, BID, ticks, lots, true);
export const sell = (id: string, ticks: number, lots: number): WorkingOrder => workingOrder(id, ASK, ticks, lots, true);
export const ioc = (id: string, side: BookSide, ticks: number, lots: number): WorkingOrder =>
  workingOrder(id, side, ticks, lots, false);

export const prob = createQueueModel(simulationOptions.parse({}).queue);

export function matching(over: Partial<MatchingOptions> = {}): { readonly engine: BookMatching; readonly tape: Tape } {
  const tape = new Tape();
  const engine = new BookMatching(
    spot,
    {
      sync: { rule: 'none', start: 'updates' },
      mode: 'default',
      exchange: 'partial-fill',
      queue: riskAverse,
      nettingUs: 0,
      ...over,
    },
    tape,
  );
  return { engine, tape };
}
