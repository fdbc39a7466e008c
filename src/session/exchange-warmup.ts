/** Warm-up from the exchange's closed candles; after a failure, on live data. */
import type { Exchange } from '../exchange/exchange.ts';
import type { CandleInterval } from '../exchange/wire/market-data.ts';
import type { Logger } from '../model/ports.ts';
import type { Candle } from '../model/views.ts';
import type { PreparedStrategy } from './strategies.ts';
import type { Warmup } from './warmup.ts';

const INTERVALS: ReadonlySet<string> = new Set<CandleInterval>(['1m', '5m', '15m', '1h', '4h', '1d']);
const LIMIT_MAX = 1000;

export async function exchangeWarmup(
  exchange: Exchange,
  strategies: readonly PreparedStrategy[],
  logger: Logger,
): Promise<Warmup> {
  const warmup = new Map<string, Map<string, readonly Candle[]>>();
  for (const { tag, loaded, params } of strategies) {
    const needs = loaded.definition.candleNeeds(params);
    if (needs === null || needs.warmup === 0) continue;
    const bySymbol = new Map<string, readonly Candle[]>();
    warmup.set(tag, bySymbol);
    for (const symbol of needs.symbols) {
      const { interval, intervalMs } = needs;
      if (!INTERVALS.has(interval)) {
        logger.warn({ symbol, interval }, `the exchange has no ${interval} candles: ${tag} warms up on what comes`);
        continue;
      }
      const limit = Math.min(LIMIT_MAX, needs.warmup + 1);
      const answer = await exchange.marketData.candles({ symbol, interval: interval as CandleInterval, limit });
      if (answer.kind === 'failed') {
        logger.warn({ symbol, interval }, `no candles to warm up ${tag}: ${answer.error.message}`);
        continue;
      }
      const closed = answer.value.filter((row) => row.closed).toSorted((left, right) => left.openTime - right.openTime);
      bySymbol.set(
        symbol,
        closed.slice(-needs.warmup).map((row) => Object.freeze({ ...row, symbol, intervalMs })),
      );
    }
  }
  return warmup;
}
