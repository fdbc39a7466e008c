/** What moves all the time and is conflated: equity, books, candles. Not in the journal. */
import { z } from 'zod';
import { decimal, timeMs } from './common.ts';

export const equityPoint = z.object({
  ts: timeMs,
  equity: z.number(),
  netPnl: z.number().nullable(),
  heldDrift: z.number().nullable(),
});

export const equityCurve = z.object({
  currency: z.string(),
  points: z.array(equityPoint).describe('Oldest first, at most 2,000; older ones are further apart'),
});

/** `[price, quantity]`, the best first. */
const level = z.tuple([decimal, decimal]);

export const book = z.object({
  symbol: z.string(),
  ts: timeMs,
  synced: z.boolean().describe('False: it is being rebuilt, do not rely on it'),
  bids: z.array(level).describe('At most 200'),
  asks: z.array(level),
});

/** `[openTime, open, high, low, close, volume]`; volume 0 where it is not known. */
export const candle = z.tuple([timeMs, z.number(), z.number(), z.number(), z.number(), z.number()]);

export const candlePage = z.object({
  symbol: z.string(),
  intervalMs: z.number(),
  source: z.enum(['exchange', 'mid']).describe('exchange: its own bars; mid: made of the mids of this session'),
  candles: z.array(candle).describe('Oldest first'),
});

/** What stood at one moment, both sides; prices ascend. */
export const heatColumn = z.object({ ts: timeMs, prices: z.array(z.number()), quantities: z.array(z.number()) });

export const heatPage = z.object({
  symbol: z.string(),
  stepMs: z.number(),
  columns: z.array(heatColumn).describe('Oldest first'),
});

export type EquityPoint = z.infer<typeof equityPoint>;
export type EquityCurve = z.infer<typeof equityCurve>;
export type Book = z.infer<typeof book>;
export type Candle = z.infer<typeof candle>;
export type CandlePage = z.infer<typeof candlePage>;
export type HeatColumn = z.infer<typeof heatColumn>;
export type HeatPage = z.infer<typeof heatPage>;
