/** Bars of the mid from a recording, also of intervals that no exchange has, and of sessions that are over. */
import type { Candle } from '../schemas/market.ts';
import { walkMarket } from './market-walk.ts';

/** The newest `limit`, oldest first. Empty without a recording of the symbol. Volume is not known: 0. */
export async function recordedBars(dir: string, symbol: string, intervalMs: number, limit: number): Promise<Candle[]> {
  const bars: Candle[] = [];
  const instrument = await walkMarket(dir, symbol, Number.POSITIVE_INFINITY, ({ bidTicks, askTicks }, receivedMs) => {
    const mid = (bidTicks + askTicks) / 2;
    const start = Math.floor(receivedMs / intervalMs) * intervalMs;
    const last = bars.at(-1);
    if (last === undefined || last[0] !== start) {
      bars.push([start, mid, mid, mid, mid, 0]);
      if (bars.length > limit) bars.shift();
      return;
    }
    last[2] = Math.max(last[2], mid);
    last[3] = Math.min(last[3], mid);
    last[4] = mid;
  });
  const tick = instrument?.tick ?? 1;
  const price = (ticks: number): number => Number((ticks * tick).toFixed(10));
  return bars.map(([ts, open, high, low, close]) => [ts, price(open), price(high), price(low), price(close), 0]);
}
