/** Candles of the exchange for a chart: one request where the interval is one of its own. */
import { candleIntervalsMs, type CandleInterval } from '../../exchange/wire/market/market-data.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import type { Candle } from '../schemas/market.ts';

export interface CandleQuestion {
  readonly symbol: string;
  readonly intervalMs: number;
  readonly limit: number;
}

/** Oldest first; null: it has none of that interval, or did not answer. */
export async function candlesOf(
  { options }: RunningSession,
  { symbol, intervalMs, limit }: CandleQuestion,
): Promise<readonly Candle[] | null> {
  const interval = Object.entries(candleIntervalsMs).find(([, ms]) => ms === intervalMs)?.[0];
  if (interval === undefined) return null;
  const { marketData } = options.connection.exchange;
  const answer = await marketData.candles({ symbol, interval: interval as CandleInterval, limit });
  if (answer.kind === 'failed') return null;
  return answer.value
    .map(({ openTime, open, high, low, close, volume }): Candle => [openTime, open, high, low, close, volume])
    .toSorted(([left], [right]) => left - right);
}
