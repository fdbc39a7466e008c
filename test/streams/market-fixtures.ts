/** Short ways to make market events and a market of two symbols for tests of streams. */
import { Instruments, type Instrument, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { CandleEvent, DepthEvent, GapEvent, QuoteEvent, TradeEvent } from '../../src/model/market/market-event.ts';
import type { Row } from '../model/depth-events.ts';

const btcusdt: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
};

export const instruments = new Instruments([btcusdt, { ...btcusdt, symbol: 'ETHUSDT', base: 'ETH' }]);

export function instrumentOf(symbol: string): Instrument {
  const found = instruments.find(symbol);
  if (found === undefined) throw new Error(`no ${symbol} in the fixtures`);
  return found;
}

export const btc = instrumentOf('BTCUSDT');
export const eth = instrumentOf('ETHUSDT');

/** Exchange and receive time of an event, Unix ms. */
interface At {
  readonly ms: number;
  readonly instrument?: Instrument;
}

const stamp = ({ ms, instrument }: At): { instrument: Instrument; exchangeUs: number; receiveUs: number } => ({
  instrument: instrument ?? btc,
  exchangeUs: ms * 1000,
  receiveUs: ms * 1000,
});

export function depth(at: At, snapshot: boolean, lastId: number, rows: readonly Row[]): DepthEvent {
  const sides = Uint8Array.from(rows, ([side]) => side);
  const ticks = Float64Array.from(rows, ([, price]) => price);
  const lots = Float64Array.from(rows, ([, , size]) => size);
  const levels = { sides, ticks, lots, from: 0, to: rows.length };
  return { kind: 'depth', ...stamp(at), snapshot, firstId: lastId, lastId, previousId: 0, levels };
}

export function trade(at: At, ticks: number, lots = 100_000, takerBuys = true): TradeEvent {
  return { kind: 'trade', ...stamp(at), tradeId: `${at.ms}`, ticks, lots, takerBuys };
}

export function quote(
  at: At,
  updateId: number,
  bid: readonly [number, number],
  ask: readonly [number, number],
): QuoteEvent {
  const [bidTicks, bidLots] = bid;
  const [askTicks, askLots] = ask;
  return { kind: 'quote', ...stamp(at), updateId, bidTicks, bidLots, askTicks, askLots };
}

export function candle(at: At, intervalMs: number, openTime: number, close: number): CandleEvent {
  const values = { open: close, high: close, low: close, close, volume: 1 };
  return { kind: 'candle', ...stamp(at), intervalMs, openTime, ...values, closed: true };
}

export function gap(at: At, open: boolean, fromMs: number, reason = 'no frames'): GapEvent {
  return { kind: 'gap', ...stamp(at), reason, fromUs: fromMs * 1000, open };
}

export const usualRows: readonly Row[] = [
  [0, 10_000, 100_000],
  [0, 9_999, 200_000],
  [1, 10_002, 300_000],
  [1, 10_003, 400_000],
];
