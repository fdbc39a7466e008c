/** Bars of the mid from a recording, also of intervals that no exchange has, and of sessions that are over. */
import type { Candle } from '../schemas/market.ts';
import type { MarketTrail } from './market-trail.ts';

/** The newest `limit`, oldest first; empty for an interval that is no whole number of seconds. Volume is not known: 0. */
export async function recordedBars(trail: MarketTrail, intervalMs: number, limit: number): Promise<Candle[]> {
  await trail.readTo(Number.POSITIVE_INFINITY);
  const { tick } = trail.instrument;
  const price = (ticks: number): number => Number((ticks * tick).toFixed(10));
  const bars = trail.bars.of(intervalMs, limit) ?? [];
  return bars.map(([ts, open, high, low, close]) => [ts, price(open), price(high), price(low), price(close), 0]);
}
