/** Tickers and candles, both ways. Displayed only, hence JS numbers. */
import { z } from 'zod';
import type { Ticker } from '../../../model/market/views.ts';
import { decimalText } from '../../../model/numbers/money.ts';
import { displayNumber, symbol, time } from '../scalars.ts';

export const tickerSchema: z.ZodType<Ticker> = z.object({
  symbol,
  last: displayNumber,
  bid: displayNumber,
  ask: displayNumber,
  open: displayNumber,
  high: displayNumber,
  low: displayNumber,
  volume: displayNumber,
  quoteVolume: displayNumber,
  ts: time,
});

/** Channel or request give symbol and interval. */
export interface CandleRow {
  /** Unix ms. */
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly volume: number;
  readonly closed: boolean;
}

export const candleSchema: z.ZodType<CandleRow> = z.object({
  openTime: time,
  open: displayNumber,
  high: displayNumber,
  low: displayNumber,
  close: displayNumber,
  volume: displayNumber,
  closed: z.boolean(),
});

/** In ms; the channel has only `1m`. */
export const candleIntervalsMs = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const;
export type CandleInterval = keyof typeof candleIntervalsMs;

export function encodeTicker(ticker: Ticker): Record<string, unknown> {
  const { symbol: name, ts, ...values } = ticker;
  return { symbol: name, ...textsOf(values), ts };
}

export function encodeCandle(candle: CandleRow): Record<string, unknown> {
  const { openTime, closed, ...values } = candle;
  return { openTime, ...textsOf(values), closed };
}

function textsOf(values: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decimalText(value)]));
}
